"""Reading a list: profiles, pairing, units, survivors."""
