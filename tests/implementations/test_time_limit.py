"""Time limits: a trim that runs too long is stopped; the first one, and what it imports, has longer."""

import sys
import time
from pathlib import Path

import pytest

from trimfuzz.implementations.time_limit import FIRST_CALLS, Hung, Watch


def spend(watch: Watch, seconds: float) -> bool:
    """Run a call of so many seconds under a watch; say whether it came back."""
    try:
        watch.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass
    except Hung:
        return False
    finally:
        watch.stop()
    return True


def test_only_the_first_call_has_patience() -> None:
    """A first call that took long is reported; a later one hangs."""
    told: list[float] = []
    watch = Watch(0.1, patience=20.0, slow=told.append)
    with watch.watching():
        assert spend(watch, 0.6)
        assert not spend(watch, 20.0)
    assert told == [watch.slow]
    assert watch.slow >= 0.6


def test_patience_ends() -> None:
    """A first call that never comes back hangs too, and is no slow one."""
    told: list[float] = []
    watch = Watch(0.1, patience=0.3, slow=told.append)
    with watch.watching():
        assert not spend(watch, 20.0)
    assert told == []
    assert watch.slow == 0.0


def test_without_patience_every_call_is_alike() -> None:
    """As for a worker that was started again."""
    watch = Watch(0.1)
    with watch.watching():
        assert not spend(watch, 20.0)


@pytest.mark.parametrize(("before", "back"), [(1, True), (FIRST_CALLS, False)])
def test_an_early_call_that_imports_has_patience(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int, back: bool
) -> None:
    """A package that is only needed where something must go is imported a few calls later."""
    (tmp_path / "slow_to_import.py").write_text(
        "import time\nend = time.monotonic() + 1\nwhile time.monotonic() < end: pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "slow_to_import", raising=False)
    watch = Watch(0.1, patience=20.0)
    with watch.watching():
        for _ in range(before):
            assert spend(watch, 0.0)
        try:
            watch.start()
            import slow_to_import  # pyright: ignore  # noqa: F401
        except Hung:
            assert not back
        else:
            assert back
        finally:
            watch.stop()
    assert (watch.slow > 0) is back
    sys.modules.pop("slow_to_import", None)
