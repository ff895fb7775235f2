"""Defaults: the times and numbers that hold where nothing else is asked for, each in one place."""

TIMEOUT = 2.0
"""Seconds that one trim may take."""
LEAST_TIMEOUT = 0.01

LOWEST_LIMIT = 1
"""The smallest limit that counts: many programs take 0 for no limit, and nobody can serve less."""

SCHEMA = 1
"""The number of the form of all JSON documents; a later form has a higher one."""
