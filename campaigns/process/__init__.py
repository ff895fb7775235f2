"""Processes: forked copies, pipes, the flight recorder, what is left over."""
