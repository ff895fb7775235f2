"""The pytest plugin: the options of `pytest --pyargs trimfuzz.campaigns.conformance --trimmer TARGET`.

It is loaded in every test run of everybody who has trimfuzz installed, so it imports nothing but pytest, and all that
it adds to other people's runs are options that begin with `--trimmer`. Their short forms (`--limit`, `--format`, ...)
are words that other plugins want too: they exist only in runs with `--trimmer`, and only where nobody else has taken
them.
"""

import pytest

PREFIX = "trimfuzz_"
_ONE = {"action": "store", "default": None}
_MANY = {"action": "append", "default": None}

OPTIONS: dict[str, tuple[dict[str, object], str]] = {
    "limit": ({**_ONE, "metavar": "KIND"}, "messages, tokens, turns, compaction or other; KIND=N names a fixed window"),
    "format": ({**_ONE, "metavar": "NAME"}, "the format of its messages (default: by its signature, else openai-chat)"),
    "provider": ({**_ONE, "metavar": "NAME"}, "the pack to judge by (default: of the format); says the format too"),
    "promise": ({**_MANY, "metavar": "NAME"}, "hold it to one more promise, as utilisation=0.5 (repeatable)"),
    "no-promise": ({**_MANY, "metavar": "NAME"}, "do not hold it to a promise (repeatable)"),
    "count": ({**_ONE, "metavar": "MODULE:FUNCTION"}, "the token counter"),
    "call": ({**_ONE, "metavar": "EXPRESSION"}, "how to call it, as 'f(messages, max_tokens=limit)'"),
    "refuses": ({**_MANY, "metavar": "MODULE:ERROR"}, "an error that means that nothing fits (repeatable)"),
    "in-place": ({"action": "store_true", "default": False}, "its output is the list that it was given"),
    "lowest-limit": ({**_ONE, "metavar": "N"}, "the smallest limit that counts (default: 1)"),
    "marks": ({**_ONE, "metavar": "auto|on|off"}, "hand out keep and summary marks (auto: if its code reads them)"),
    "without": ({**_MANY, "metavar": "FEATURE,..."}, "what is never sent: see `trimfuzz list features` (repeatable)"),
    "system": ({**_ONE, "metavar": "inside|outside"}, "outside: lists without a system message"),
    "inputs": ({**_ONE, "metavar": "CLASS,..."}, "which input classes to generate"),
    "fail-on": ({**_ONE, "metavar": "CLASS,..."}, "further input classes on which a finding fails"),
    "timeout": ({**_ONE, "metavar": "SECONDS"}, "a trim that takes longer hangs (default: 2)"),
}  # fmt: skip
"""Options of the target, each `--trimmer-NAME`: how argparse reads it, and its help."""


def option_name(name: str) -> str:
    """Return the attribute under which pytest keeps an option."""
    return PREFIX + name.replace("-", "_")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--trimmer` and, under names that nobody else uses, what can be said about the target."""
    group = parser.getgroup("trimfuzz", "context trimmers (with --pyargs trimfuzz.campaigns.conformance)")
    group.addoption(
        "--trimmer",
        metavar="TARGET",
        dest=option_name("target"),
        default=None,
        help="the trimmer to validate: package.module:name, path/to/file.py:name, or a registered name",
    )
    for name, (how, text) in OPTIONS.items():
        group.addoption(f"--trimmer-{name}", dest=option_name(name), help=text, **how)


@pytest.hookimpl(trylast=True)
def pytest_load_initial_conftests(early_config: pytest.Config, parser: pytest.Parser) -> None:
    """In a run with `--trimmer`, add the short forms that are still free when all other plugins are there."""
    if getattr(early_config.known_args_namespace, option_name("target"), None) is None:
        return
    group = parser.getgroup("trimfuzz")
    for name, (how, _) in OPTIONS.items():
        if _free(parser, f"--{name}"):
            group.addoption(f"--{name}", dest=option_name(name), help=f"short for --trimmer-{name}", **how)


def _free(parser: pytest.Parser, option: str) -> bool:
    try:
        return option in parser.parse_known_and_unknown_args([option])[1]
    except (pytest.UsageError, SystemExit):
        return False
