"""The commands that the README and the recipes show: each is a command that exists, with options that exist."""

import re
import shlex
from pathlib import Path

import click
import pytest

from trimfuzz.campaigns.commands.cli import cli

ROOT = Path(__file__).parents[2]
SHOWN = ("README.md", "CONTRIBUTING.md", "docs/recipes/github-actions.yml", "docs/recipes/crontab")
COMMAND = re.compile(
    r"(?:^|[\s`/])trimfuzz ((?:check|sessions|campaign|replay|judge|prove|list)\b[^`\n|>#]*)", re.MULTILINE
)


def commands() -> list[tuple[str, str]]:
    """Give every command line that is shown, with the file that shows it."""
    return [
        (name, found.group(1).strip())
        for name in SHOWN
        for found in COMMAND.finditer((ROOT / name).read_text("utf-8"))
        if "..." not in found.group(1)
    ]


@pytest.mark.parametrize(("file", "line"), commands())
def test_shown_command_can_be_run(file: str, line: str) -> None:
    """The command is read as click reads it; nothing is run."""
    name, *words = shlex.split(line)
    command = cli.commands[name]
    if not words:
        return
    try:
        command.make_context(
            name, [word for word in words if word not in ("DIR", "TARGET", "NAME")], resilient_parsing=False
        )
    except click.MissingParameter:
        pass  # "`trimfuzz check` says ...": the name of a command in a sentence
    except click.UsageError as error:
        pytest.fail(f"{file}: trimfuzz {line}: {error.format_message()}")


def test_both_recipes_show_commands() -> None:
    """None of the files has lost its commands."""
    assert {file for file, _ in commands()} == set(SHOWN)
