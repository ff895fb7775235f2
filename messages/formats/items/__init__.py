"""Wire formats in which a message and an item are not the same thing.

Each has a form of its own of a neutral history, in which every message is one item: `shape` brings a history into it,
`plain` takes it back. What is changed on the way, and never given back, is listed at the top of each module; anything
else that has no place is an error that names it.
"""
