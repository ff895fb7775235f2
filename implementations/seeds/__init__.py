"""The seed systems: real trimmers before and after the fix of their orphan bug, ported from a description.

Every port is a pure function of neutral messages, checked against recorded outputs of the upstream code.
"""
