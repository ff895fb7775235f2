"""Trimmers: the seed systems, a museum of broken ones, adapters to real packages."""
