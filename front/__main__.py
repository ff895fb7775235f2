"""`python -m trimfuzz` and the command `trimfuzz`: an interrupt is one line, also while the rest is being loaded."""

import os
import signal
import sys
from contextlib import suppress
from typing import Any


def main() -> None:
    """Run the command line and exit."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where it is ignored, as under nohup
        signal.signal(signal.SIGINT, _leave)
    from trimfuzz.campaigns.commands.cli import main as command_line

    command_line()


def _leave(_signal: int, _frame: Any) -> None:
    with suppress(OSError):
        os.write(2, b"trimfuzz: interrupted\n")
        if "--json" in sys.argv:
            os.write(1, b'{"schema": 2, "error": "interrupted"}\n')
    os._exit(130)


if __name__ == "__main__":
    main()
