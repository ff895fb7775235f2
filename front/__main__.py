"""`python -m trimfuzz` is the command line."""

from trimfuzz.campaigns.cli import main

main()
