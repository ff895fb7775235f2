"""Workers: the process that trims, and its supervisor."""
