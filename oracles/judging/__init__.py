"""Judging: cases and transcripts by all rules."""
