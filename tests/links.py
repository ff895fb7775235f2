"""A strict editable install is a tree of links to the files that there were: what it misses, and what to do."""

import tomllib
from pathlib import Path

INSTALL = "pip install -e . --config-settings editable_mode=strict"


def stale_install(root: Path, package: Path) -> str | None:
    """Return one line on the source files that an installed package does not show; None if it shows them all.

    `root` is the checkout, `package` the folder that `trimfuzz` is imported from. Only a link tree of this checkout can
    be stale; an installed wheel is whatever was built.
    """
    if not package.is_relative_to(root / "build") or not package.parent.name.startswith("__editable__"):
        return None
    setup = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    unseen: list[str] = []
    for name in setup["packages"]:
        top, *rest = name.split(".")
        room = setup["package-dir"]["trimfuzz" if not rest else f"{top}.{rest[0]}"]
        folder, links = Path(room, *rest[1:]), package.joinpath(*rest)
        unseen += [str(folder / file.name) for file in (root / folder).glob("*.py") if not (links / file.name).exists()]
    gone = [str(link.relative_to(root)) for link in package.rglob("*.py") if not link.exists()]
    parts = [
        f"not installed yet: {', '.join(sorted(unseen))}" if unseen else "",
        f"links to files that are gone: {', '.join(sorted(gone))}" if gone else "",
    ]
    said = "; ".join(part for part in parts if part)
    return f"{said} (run: {INSTALL})" if said else None
