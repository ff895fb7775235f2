"""Sessions: the steps of a script, and the transcript of what happened."""
