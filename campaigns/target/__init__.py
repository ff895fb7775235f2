"""Targets: from a name and options to a trimmer and its contract."""
