"""The commands: each reads its options, calls one function of this room, and prints. Nothing heavy is imported before
a command runs, so that `--help` answers at once.
"""
