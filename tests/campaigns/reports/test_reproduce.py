"""Reproducing: a command that says a spec again, and reads back as the same one."""

import shlex
from inspect import signature
from pathlib import Path

import click
import pytest

from trimfuzz.campaigns.commands.check import check
from trimfuzz.campaigns.reports.reproduce import check_command, fixture_command, replay_command
from trimfuzz.campaigns.target.spec import Spec


@pytest.mark.parametrize(
    "spec",
    [
        Spec("mine.py:trim"),
        Spec("a folder/mine.py:trim", format="neutral", limit="tokens", count="mine.py:words"),
        Spec("pkg:f", limit="messages", fixed=40, in_place=True, refuses=("pkg:TooSmall", "ValueError")),
        Spec("pkg:f", call="f(messages, max_tokens=limit)", provider="anthropic", marks=False),
        Spec("pkg:f", promises={"keeps-system": 1.0, "utilisation": 0.5}, withdrawn=("within-limit", "deterministic")),
        Spec("pkg:f", timeout=0.25),
        Spec("pkg:f", fail_on=("valid", "pending", "malformed"), inputs=("valid", "malformed")),
    ],
)
def test_command_reads_back_as_the_same_spec(spec: Spec) -> None:
    """What `check` would make of the command is the spec that was said."""
    words = shlex.split(check_command(spec, seed=7, examples=50))
    assert words[:2] == ["trimfuzz", "check"]
    context = click.Context(check)
    check.parse_args(context, words[2:])
    options = {
        name: value
        for name, value in context.params.items()
        if name in signature(Spec.of).parameters and name != "target"
    }
    assert Spec.of(context.params["target"], **options) == spec
    assert (context.params["seed"], context.params["examples"], context.params["seconds"]) == (7, 50, 0.0)


def test_replay_command_is_quoted() -> None:
    """Paths with blanks survive the shell."""
    words = shlex.split(replay_command("my fixtures/one.json", spec=Spec("mine.py:trim")))
    assert words == ["trimfuzz", "replay", "my fixtures/one.json", "--with", "mine.py:trim"]


def test_fixture_of_a_file_elsewhere_is_replayed_by_its_whole_name(tmp_path: Path) -> None:
    """The fixture names the file alone; the command on screen says where it lies, and how it is called."""
    spec = Spec(f"{tmp_path}/mine.py:trim", limit="tokens", refuses=("mine.py:TooSmall",), timeout=5.0)
    words = shlex.split(fixture_command("one.json", spec))

    assert words[2:] == [
        "one.json", "--with", f"{tmp_path}/mine.py:trim", "--limit", "tokens", "--refuses", "mine.py:TooSmall",
        "--timeout", "5",
    ]  # fmt: skip


def test_fixture_of_a_file_below_is_replayed_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the working directory the fixture finds its trimmer, however it was named."""
    monkeypatch.chdir(tmp_path)
    for target in (f"{tmp_path}/mine.py:trim", "./mine.py:trim", "mine.py:trim", "pkg.mod:trim", "oasis-pre"):
        assert fixture_command("one.json", Spec(target)) == "trimfuzz replay one.json"
