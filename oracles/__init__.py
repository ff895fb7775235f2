"""Judges: pure functions from cases and outcomes to findings."""
