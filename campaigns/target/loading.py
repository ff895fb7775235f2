"""Loading: from `package.module:name` or `path/to/file.py:name` to the object, or one clear line about what is wrong.

Importing somebody's file runs it, so everything can go wrong, and each thing has its own words: no such file, no such
module, no such name (with close ones), an error inside the file with its line.
"""

import sys
import traceback
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from ...messages.errors import BadTarget

FORMS = "a target is package.module:name or path/to/file.py:name"


def load_object(text: str) -> Any:
    """Import what `package.module:name` or `path/to/file.py:name` names; raises `BadTarget`."""
    return load_named(text)[0]


def load_named(text: str) -> tuple[Any, ModuleType]:
    """Import what a target names, and the module that it was found in. A module alone (no colon) stands for itself."""
    place, colon, name = text.rpartition(":")
    if not colon:
        place, name = name, ""
    if not place.strip():
        raise BadTarget(f"{text!r} names nothing", FORMS)
    module = load_module(place)
    found: Any = module
    reached = place
    for part in name.split(".") if name else ():
        try:
            found = getattr(found, part)
        except AttributeError:
            raise BadTarget(f"{reached} has no {part!r}", _close(part, found)) from None
        except Exception as error:
            raise BadTarget(f"{reached}.{part} cannot be read: {_said(error)}") from None
        reached = f"{place}:{part}" if reached == place else f"{reached}.{part}"
    return found, module


def load_module(place: str) -> ModuleType:
    """Import a module by its dotted name or by the path of its file."""
    if place.endswith(".py") or "/" in place or "\\" in place:
        return _load_file(place)
    _put_first(str(Path.cwd()))
    _need_spec(place)
    return _running(place, lambda: import_module(place))


def public_functions(module: ModuleType) -> list[str]:
    """Return the names of what could be a trimmer among what a module itself defines, private names left out.

    A class counts if it is a memory or a compactor: an exception is no trimmer, and is not suggested as one.
    """
    return [
        name
        for name, value in vars(module).items()
        if callable(value)
        and not name.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
        and (not isinstance(value, type) or any(_has(value, *names) for names in (("add", "view"), ("plan", "apply"))))
    ]


def _has(found: type, *names: str) -> bool:
    return all(callable(getattr(found, name, None)) for name in names)


def _load_file(place: str) -> ModuleType:
    path = Path(place)
    if path.is_dir():
        files = sorted(one.name for one in path.glob("*.py") if not one.name.startswith("__"))
        raise BadTarget(f"{place} is a folder", f"name a file in it: {path / (files or ['file.py'])[0]}:NAME")
    if not path.is_file():
        near = _near_files(path)
        raise BadTarget(f"no such file: {place}", f"did you mean {near}?" if near else "the path is taken from here")
    path = path.resolve()
    _put_first(str(path.parent))
    dotted = path.stem
    root = path.parent
    while (root / "__init__.py").is_file():  # inside a package, so that its relative imports work
        dotted = f"{root.name}.{dotted}"
        root = root.parent
    if "." in dotted:
        _put_first(str(root))
        found = sys.modules.get(dotted) or _running(place, lambda: import_module(dotted))
        if _file_of(found) == path:
            return found
    name = path.stem
    if name in sys.stdlib_module_names or (name in sys.modules and _file_of(sys.modules[name]) != path):
        name = f"trimfuzz_target_{path.stem}"  # `queue.py` is somebody's queue, not Python's
    loaded = sys.modules.get(name)
    if loaded is not None and _file_of(loaded) == path:
        return loaded
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadTarget(f"{place} is no Python file", FORMS)
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look their module up while it is being run
    loader = spec.loader

    def execute() -> ModuleType:
        try:
            loader.exec_module(module)
        except BaseException:
            sys.modules.pop(name, None)
            raise
        return module

    return _running(place, execute)


def _file_of(module: ModuleType | None) -> Path | None:
    given = getattr(module, "__file__", None)
    return Path(given).resolve() if isinstance(given, str) else None


def _put_first(folder: str) -> None:
    if folder not in sys.path:
        sys.path.insert(0, folder)


def _need_spec(place: str) -> None:
    """Find the module without running it, parent by parent, so that a missing one is told from one that fails."""
    parts = place.split(".")
    for end in range(1, len(parts) + 1):
        parent = ".".join(parts[:end])
        if parent in sys.modules:
            continue
        try:
            found = find_spec(parent) if end == 1 else _running(place, lambda parent=parent: find_spec(parent))
        except (ValueError, ImportError):
            found = None
        if found is None:
            file = Path(*parts).with_suffix(".py")
            hint = (
                f"there is a file: {file}:NAME"
                if file.is_file()
                else "is it installed in this Python, or a file: x.py:NAME?"
            )
            raise BadTarget(f"no module named {parent!r}", hint)


def _running(place: str, load: Any) -> Any:
    """Run somebody's import; whatever comes out of it is one line with the place where it happened."""
    try:
        return load()
    except KeyboardInterrupt:
        raise
    except SyntaxError as error:
        file = Path(error.filename or place).name
        raise BadTarget(f"{place} cannot be imported: {file}, line {error.lineno}: {error.msg}") from None
    except BadTarget:
        raise
    except BaseException as error:
        raise BadTarget(f"{place} cannot be imported: {_said(error)}{_where(error)}", _import_hint(error)) from None


def _said(error: BaseException) -> str:
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words[:300]}" if words else type(error).__name__


def _where(error: BaseException) -> str:
    """Name the innermost line that is not of the import system."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<frozen") and Path(frame.filename).resolve() != Path(__file__).resolve()
    ]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


def _import_hint(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"install what provides {error.name!r} into the Python that runs trimfuzz"
    if isinstance(error, ImportError) and "relative import" in str(error):
        return "name it as package.module:name"
    return ""


def _close(name: str, holder: Any) -> str:
    known = [one for one in dir(holder) if not one.startswith("_")]
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        return "did you mean " + " or ".join(near) + "?"
    defined = public_functions(holder) if isinstance(holder, ModuleType) else known
    return "it has " + ", ".join(defined[:8]) if defined else "it defines no function"


def _near_files(path: Path) -> str | None:
    try:
        known = [one.name for one in path.parent.iterdir() if one.suffix == ".py"]
    except OSError:
        return None
    near = get_close_matches(path.name, known, n=1, cutoff=0.5)
    return str(path.with_name(near[0])) if near else None
