"""The ground floor: what a history is, how its calls and results pair, and the words that every room shares."""
