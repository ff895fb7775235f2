"""The engine: cases tried, tallied, recorded and shrunk."""
