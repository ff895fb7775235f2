"""The flight recorder: what a worker is doing right now, where the process above can read it after a crash.

It is a small file without a name, mapped into both processes. The worker writes the example when it begins one (the
bytes it was made from, or the number of a known case) and the limit before every trim; that costs about a microsecond.
When the worker dies or stands still, the last entry names the case.
"""

import mmap
import os
import struct
import tempfile

from attrs import define, field, frozen

from ...messages.limits import Limit

_HEADER = struct.Struct("=QqqBBI")
"""Trims so far, example, limit value, whether a limit is there, whether a trim is running, length of the payload."""
_SIZE = 1 << 16


@frozen
class LastTrim:
    """The last thing recorded: how many trims were begun, the example's number and payload, the limit's value.

    After a trim its limit stays, and `trimming` is false.
    """

    trims: int
    example: int
    payload: bytes
    limit: int | None
    trimming: bool


@define
class Recorder:
    """One mapped file; made by the process above (`create`) and opened by the worker (`attach`).

    `handle` is the open file for the worker to inherit, None where it is not needed any more.
    """

    _map: mmap.mmap
    handle: int | None = None
    _trims: int = field(default=0, init=False)
    _example: int = field(default=0, init=False)
    _length: int = field(default=0, init=False)
    _limit: Limit | None = field(default=None, init=False)

    @classmethod
    def create(cls) -> "Recorder":
        """Make a new recorder."""
        with tempfile.TemporaryFile() as file:
            os.ftruncate(file.fileno(), _SIZE)
            return cls(mmap.mmap(file.fileno(), _SIZE), os.dup(file.fileno()))

    @classmethod
    def attach(cls, handle: int) -> "Recorder":
        """Map the recorder that the process above made, by its inherited handle, which is closed."""
        try:
            return cls(mmap.mmap(handle, _SIZE))
        finally:
            os.close(handle)

    def begin(self, example: int, payload: bytes) -> None:
        """Note which example comes now; its payload is cut at 64 KiB."""
        payload = payload[: _SIZE - _HEADER.size]
        self._example, self._length = example, len(payload)
        self._map[_HEADER.size : _HEADER.size + len(payload)] = payload

    def trim(self, limit: Limit | None) -> None:
        """Note that a trim begins."""
        self._trims += 1
        self._limit = limit
        self._write(trimming=True)

    def rest(self) -> None:
        """Note that no trim is running."""
        self._write(trimming=False)

    def _write(self, *, trimming: bool) -> None:
        limit = self._limit
        value = 0 if limit is None else limit.value
        _HEADER.pack_into(self._map, 0, self._trims, self._example, value, limit is not None, trimming, self._length)

    def read(self) -> LastTrim:
        """Read the last entry."""
        trims, example, value, known, trimming, length = _HEADER.unpack_from(self._map, 0)
        payload = bytes(self._map[_HEADER.size : _HEADER.size + length])
        return LastTrim(trims, example, payload, value if known else None, bool(trimming))

    def handed_over(self) -> None:
        """Close the handle: the worker has it."""
        handle, self.handle = self.handle, None
        if handle is not None:
            os.close(handle)

    def close(self) -> None:
        """Unmap the file, which is gone with its last user."""
        self.handed_over()
        self._map.close()
