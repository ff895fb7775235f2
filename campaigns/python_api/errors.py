"""The error of the Python API, where `trimfuzz.TrimfuzzError` finds it."""

from ...messages.errors import TrimfuzzError

__all__ = ["TrimfuzzError"]
