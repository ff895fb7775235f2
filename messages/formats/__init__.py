"""Formats: how a history is written for a trimmer and read back."""
