"""The layers of the tree, as data, and the checks that hold them: pure functions from sources to sentences.

`PACKAGE_LAYERS` says which package may import which. `LINES` says the same inside every folder that holds modules, a
line a layer, the lowest first. Of its own folder a module imports lower lines alone: nothing above it, and nothing
beside it. A name in a line is a module or a folder; `*` is every module that no line names, so that a shelf grows
without an edit here. An `__init__` stands above all lines of its folder.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from .imports import Edge, Sources, edges, imports

Lines: TypeAlias = Mapping[str, tuple[str, ...]]

PACKAGE_LAYERS: Mapping[str, frozenset[str]] = {
    "messages": frozenset(),
    "strategies": frozenset({"messages"}),
    "oracles": frozenset({"messages"}),
    "implementations": frozenset({"messages"}),
    "campaigns": frozenset({"messages", "strategies", "oracles", "implementations"}),
    "front": frozenset({"campaigns"}),
}

LINES: Lines = {
    "messages": (
        "errors lazy model shelf",
        "limits neutral reading requests session shorthand",
        "cases formats",
        "reports",
    ),
    "messages/reading": ("pairing profile", "vendors", "profiles", "survivors units"),
    "messages/reading/vendors": ("*",),
    "messages/formats": ("features", "format", "items", "*", "registry", "counting detect translation", "counters"),
    "messages/formats/items": ("inline_results values", "grouping", "dialect"),
    "messages/session": ("steps", "transcript"),
    "strategies": ("encoding known sessions", "lane", "hypothesis_strategies"),
    "strategies/known": (),
    "strategies/encoding": (
        "fast_message features features_seen",
        "draft feature_examples",
        "breaking_ops neighbours ops",
        "catalogue",
        "byte_table",
        "opening",
        "encoding",
    ),
    "oracles": (
        "best provider_answers provider_features reference",
        "facts",
        "provider rules",
        "judging packs",
        "records",
    ),
    "oracles/best": ("legal", "unit_parts", "passes", "best"),
    "oracles/facts": ("list_faults tracing", "views", "evidence"),
    "oracles/rules": ("keeps pairs", "contents limits orphans requests shape", "lint", "*", "mild", "registry"),
    "oracles/packs": ("*",),
    "oracles/judging": ("advice exercise folding implications judging references", "request_faults"),
    "oracles/records": ("claims recorded", "examples"),
    "implementations": (
        "stateful time_limit trimmer",
        "museum packages reference running seeds sessions",
        "registry",
    ),
    "implementations/museum": ("piece", "parts", "correct", "*", "unserved"),
    "implementations/packages": ("pieces shared", "langchain_messages", "*"),
    "implementations/seeds": ("kimi_projection kimi_strategy", "kimi_events", "*"),
    "implementations/sessions": ("tracked", "memory", "loops"),
    "campaigns": (
        "defaults process schemas templates",
        "target",
        "engine",
        "sessions",
        "store workers",
        "runs",
        "reports",
        "commands pytest python_api",
        "conformance",
    ),
    "campaigns/process": ("leftover_processes pipe", "flight_recorder isolation"),
    "campaigns/target": (
        "contract declaration in_place left_out loading marks signature",
        "call_expression contract_summary options",
        "adapt spec",
        "target",
        "resolve",
    ),
    "campaigns/engine": ("compaction_points records", "bugs lanes tally", "engine first_calls", "shrinking"),
    "campaigns/sessions": ("playing", "script_lane script_shrinking"),
    "campaigns/store": ("signatures", "fixture_format", "fixtures", "accepted last"),
    "campaigns/workers": ("bench confirm exploration", "history_jobs session_jobs", "supervisor worker"),
    "campaigns/runs": ("enough", "lint prove replay schedule search", "account check session_check", "campaign"),
    "campaigns/reports": (
        "reproduce timeline",
        "canvas documents",
        "console plain_text text_blocks",
        "finding rule_grid",
        "check_view tables",
        "*",
    ),
    "campaigns/pytest": ("plugin shared_run", "conformance", "sessions"),
    "campaigns/commands": ("options output", "*", "cli"),
    "campaigns/python_api": ("naming", "*"),
    "campaigns/schemas": (),
    "campaigns/templates": (),
    "front": ("*",),
}

SHELVES = frozenset(folder for folder, lines in LINES.items() if "*" in lines)
"""Folders of many siblings that do not import each other."""
MOST_MODULES = 14
"""In a folder that is no shelf."""

DISCOVERS: Mapping[str, tuple[str, ...]] = {
    "messages/formats/registry.py": ("messages/formats/*.py",),
    "messages/reading/profiles.py": ("messages/reading/vendors/*.py",),
    "oracles/packs/__init__.py": ("oracles/packs/*.py",),
    "implementations/registry.py": (
        "implementations/museum/*.py",
        "implementations/packages/*.py",
        "implementations/reference.py",
        "implementations/seeds/*.py",
    ),
}
"""Who imports by a name made at run time, and what: edges that the syntax does not show. `*` are the siblings of a
shelf, not the modules of it that a line names."""


def package_faults(sources: Sources) -> list[str]:
    """Return what imports a package that its own may not import, and how else an import breaks the layers."""
    return [fault for path, source in sources.items() for fault in _faults_of_module(path, source)]


def line_faults(sources: Sources, lines: Lines = LINES) -> list[str]:
    """Return what imports a higher line of a folder, or a neighbour in its own."""
    return edge_faults(edges(sources), lines)


def edge_faults(found_edges: Iterable[Edge], lines: Lines = LINES) -> list[str]:
    """Return the imports, of some, that lead up or aside."""
    found: list[str] = []
    for edge in found_edges:
        folder, importer, imported = _parted(edge)
        if importer == imported or not folder:
            continue
        here, there = _height(folder, importer, lines), _height(folder, imported, lines)
        if here is None or there is None:
            continue  # `unnamed` says it
        if there > here:
            found.append(f"{edge}: in {folder}/, {imported} stands above {importer}")
        elif there == here:
            found.append(f"{edge}: in {folder}/, {imported} stands in one line with {importer}")
    return found


def unnamed(sources: Sources, lines: Lines = LINES) -> list[str]:
    """Return folders without lines, and modules and folders that no line of theirs names."""
    found: list[str] = []
    for folder, children in sorted(_children(sources).items()):
        if folder not in lines:
            found.append(f"{folder}/ has no lines")
            continue
        found += [
            f"{folder}/{child}: no line names it"
            for child in sorted(children - {"__init__"})
            if _height(folder, child, lines) is None
        ]
    return found


def stale_names(sources: Sources, lines: Lines = LINES) -> list[str]:
    """Return what the lines name and the tree does not hold, and what they name twice."""
    children = _children(sources)
    found: list[str] = []
    for folder, rows in lines.items():
        names = [name for row in rows for name in row.split()]
        found += [f"{folder}/{name}" for name in names if name != "*" and name not in children.get(folder, ())]
        found += [f"{folder}/{name} twice" for name in sorted(set(names)) if names.count(name) > 1]
    return found


def circles(sources: Sources, discovers: Mapping[str, tuple[str, ...]] = DISCOVERS) -> list[list[str]]:
    """Return every group of modules of which each imports, by some way, all the others."""
    graph: dict[str, set[str]] = {str(path): set() for path in sources}
    for edge in edges(sources):
        graph[str(edge.importer)].add(str(edge.imported))
    for registry, patterns in discovers.items():
        if registry in graph:
            graph[registry] |= {str(path) for path in sources for one in patterns if _is_discovered(path, one)}
            graph[registry].discard(registry)
    return _strong_components(graph)


def crowded(sources: Sources, shelves: Iterable[str] = SHELVES) -> list[str]:
    """Return the folders with too many modules, shelves aside."""
    counts: dict[str, int] = defaultdict(int)
    for path in sources:
        counts[str(path.parent)] += path.stem != "__init__"
    return [f"{folder}/ has {n}" for folder, n in counts.items() if n > MOST_MODULES and folder not in set(shelves)]


def hidden_imports(sources: Sources, discovers: Mapping[str, tuple[str, ...]] = DISCOVERS) -> list[str]:
    """Return modules that look for neighbours at run time and are not named in `discovers`."""
    return [
        str(path)
        for path, source in sources.items()
        if ("pkgutil" in source or "= modules_in(" in source or "in modules_in(" in source)
        and str(path) not in {*discovers, "messages/shelf.py"}
    ]


def _is_discovered(path: Path, pattern: str) -> bool:
    named = {name for row in LINES.get(str(path.parent), ()) for name in row.split()}
    return path.match(pattern) and not ("*" in pattern and path.stem in {*named, "__init__"})


def _faults_of_module(path: Path, source: str) -> list[str]:
    package = path.parts[0]
    allowed = PACKAGE_LAYERS[package] | {package}
    if path == Path("implementations/reference.py"):
        allowed = allowed | {"oracles"}
    found: list[str] = []
    for one in imports(path, source):
        where = f"{path}:{one.line}: {one.name}"
        if one.name.split(".")[0] in PACKAGE_LAYERS:
            found.append(f"{where}: a package by its bare name")
        elif one.package is None:
            continue
        elif one.package not in allowed:
            found.append(f"{where}: {package} may not import {one.package}")
        elif path == Path("oracles/reference.py") and one.name != "trimfuzz.messages.model":
            found.append(f"{where}: the reference oracle shares no code")
        elif package == "front" and path.name == "__init__.py" and one.at_once:
            found.append(f"{where}: the public names are loaded lazily")
        elif package != "front" and not one.relative:
            found.append(f"{where}: inside the packages imports are relative")
    return found


def _parted(edge: Edge) -> tuple[str, str, str]:
    """Return the folder in which the two ends part, and the child of it that each end is or is in."""
    one, other = (path.with_suffix("").parts for path in (edge.importer, edge.imported))
    depth = 0
    while depth < min(len(one), len(other)) - 1 and one[depth] == other[depth]:
        depth += 1
    return "/".join(one[:depth]), one[depth], other[depth]


def _height(folder: str, child: str, lines: Lines) -> int | None:
    """Return the number of a child's line, from below; None if no line has a place for it."""
    rows = lines.get(folder, ())
    if child == "__init__":
        return len(rows)
    rest = None
    for height, row in enumerate(rows):
        if child in row.split():
            return height
        if row == "*":
            rest = height
    return rest


def _children(sources: Sources) -> dict[str, set[str]]:
    """Return the modules and folders of every folder."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sources:
        parts = path.with_suffix("").parts
        for depth in range(1, len(parts)):
            found["/".join(parts[:depth])].add(parts[depth])
    return found


def _strong_components(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the circles of a graph: its strongly connected components of more than one node."""
    reached = {node: _reach(graph, node) for node in graph}
    groups = {frozenset(other for other in reached[node] if node in reached[other]) for node in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _reach(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        for other in graph[ahead.pop()] - seen:
            seen.add(other)
            ahead.append(other)
    return seen
