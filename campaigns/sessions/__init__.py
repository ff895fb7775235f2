"""Sessions played, drawn and shrunk."""
