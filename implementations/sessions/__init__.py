"""Trimmers inside conversations: loops, memories, tracked items."""
