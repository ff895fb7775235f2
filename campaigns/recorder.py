"""The flight recorder: what a worker is doing right now, where the process above can read it after a crash.

It is a small file mapped into both processes. The worker writes the example when it begins one (the bytes it was made
from, or the number of a known case) and the limit before every trim; that costs about a microsecond. When the worker
dies or stands still, the last entry names the case.
"""

import mmap
import os
import struct
import tempfile
from pathlib import Path

from attrs import define, field, frozen

from ..messages.limits import Limit

_HEADER = struct.Struct("=QqqBBI")
"""Trims so far, example, limit value, whether a limit is there, whether a trim is running, length of the payload."""
_SIZE = 1 << 16


@frozen
class Entry:
    """The last thing recorded: how many trims were begun, the example's number and payload, the limit's value."""

    trims: int
    example: int
    payload: bytes
    limit: int | None
    trimming: bool


@define
class Recorder:
    """One mapped file; made by the process above (`create`) and opened by the worker (`attach`)."""

    path: Path
    _map: mmap.mmap
    _trims: int = field(default=0, init=False)
    _example: int = field(default=0, init=False)
    _length: int = field(default=0, init=False)

    @classmethod
    def create(cls) -> "Recorder":
        """Make a new recorder in the temporary folder."""
        handle, name = tempfile.mkstemp(prefix="trimfuzz-", suffix=".recorder")
        try:
            os.ftruncate(handle, _SIZE)
            return cls(Path(name), mmap.mmap(handle, _SIZE))
        finally:
            os.close(handle)

    @classmethod
    def attach(cls, path: Path) -> "Recorder":
        """Open the recorder that the process above made."""
        with path.open("r+b") as file:
            return cls(path, mmap.mmap(file.fileno(), _SIZE))

    def begin(self, example: int, payload: bytes) -> None:
        """Note which example comes now; its payload is cut at 64 KiB."""
        payload = payload[: _SIZE - _HEADER.size]
        self._example, self._length = example, len(payload)
        self._map[_HEADER.size : _HEADER.size + len(payload)] = payload

    def trim(self, limit: Limit | None) -> None:
        """Note that a trim begins."""
        self._trims += 1
        value = 0 if limit is None else limit.value
        _HEADER.pack_into(self._map, 0, self._trims, self._example, value, limit is not None, 1, self._length)

    def rest(self) -> None:
        """Note that no trim is running."""
        _HEADER.pack_into(self._map, 0, self._trims, self._example, 0, False, 0, self._length)

    def read(self) -> Entry:
        """Read the last entry."""
        trims, example, value, known, trimming, length = _HEADER.unpack_from(self._map, 0)
        payload = bytes(self._map[_HEADER.size : _HEADER.size + length])
        return Entry(trims, example, payload, value if known else None, bool(trimming))

    def close(self, *, remove: bool = False) -> None:
        """Unmap the file, and remove it where it was made."""
        self._map.close()
        if remove:
            self.path.unlink(missing_ok=True)
