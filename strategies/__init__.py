"""What can happen in a history: Hypothesis strategies and a random lane over one byte encoding."""
