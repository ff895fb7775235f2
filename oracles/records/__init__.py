"""Recorded pairs and public reports as judged data."""
