"""The Python API: what the commands do, as functions that return values."""
