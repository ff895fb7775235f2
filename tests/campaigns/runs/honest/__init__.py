"""Honest trimmers: what careful programs do, each in a way for which a hasty verdict would blame it.

Every one is a plain function (or a class) of its own. None uses the pairing of the suite, its marks or its counters.
"""
