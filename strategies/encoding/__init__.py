"""The byte encoding: what each byte stands for, and how a string of them becomes a history."""
