"""The best legal trim: what could have been kept."""
