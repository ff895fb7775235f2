"""What is kept on disk: fixtures, signatures, accepted findings."""
