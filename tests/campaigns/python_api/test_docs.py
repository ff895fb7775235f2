"""docs/python.md: every example runs, in the order of the page, in a folder with the page's own file."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "python.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_every_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a reader would run them, one after the other; a block that opens with a file's name is that file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    files = [block for block in BLOCKS if block.startswith("# ")]
    for block in files:
        (tmp_path / block.split()[1]).write_text(block, "utf-8")
    scope: dict[str, Any] = {"__name__": "page"}
    for block in BLOCKS:
        if block not in files:
            above = TEXT[: TEXT.index(block)].count("\n")  # so that an error names the line of the page
            exec(compile("\n" * above + block, str(PAGE), "exec"), scope)

    assert len(files) == 1
    assert len(BLOCKS) >= 9
    assert callable(scope["test_trim"])


def test_the_page_has_every_public_name() -> None:
    """Each name has a row in the first table and an example."""
    import trimfuzz

    for name in trimfuzz.__all__:
        assert f"| `{name}` |" in TEXT
        assert any(f"trimfuzz.{name}" in block for block in BLOCKS)
