"""Reproducing: the command that shows a finding again, ready to be pasted into a shell."""

import shlex
from pathlib import Path

from .specs import Spec


def check_command(spec: Spec, *, seed: int, examples: int | None = None) -> str:
    """Return the `check` command of a spec; options that have their default value are left out.

    `examples` is what was asked for: another number is another stream of cases. Time must not cut the stream short on a
    slower machine, so there is no bound on it.
    """
    words = ["trimfuzz", "check", spec.target, *spec_options(spec), "--seed", str(seed), "--seconds", "0"]
    if examples is not None:
        words += ["--examples", str(examples)]
    return shlex.join(words)


def replay_command(path: Path | str, *, target: str | None = None) -> str:
    """Return the `replay` command of a fixture; `target` is another trimmer to run it on."""
    return shlex.join(["trimfuzz", "replay", str(path), *(("--with", target) if target else ())])


def spec_options(spec: Spec) -> list[str]:
    """Return the options that say a spec on the command line."""
    default = Spec(spec.target)
    words: list[str] = []

    def say(option: str, value: str | None) -> None:
        if value is not None:
            words.extend((option, value))

    say("--format", spec.format)
    if spec.limit is not None or spec.fixed is not None:
        say("--limit", (spec.limit or "messages") + (f"={spec.fixed}" if spec.fixed is not None else ""))
    say("--count", spec.count)
    say("--call", spec.call)
    if spec.in_place:
        words.append("--in-place")
    for name in spec.refuses:
        say("--refuses", name)
    say("--provider", spec.provider)
    for name, bound in spec.promises.items():
        say("--promise", name if bound == 1.0 else f"{name}={bound:g}")
    for name in spec.withdrawn:
        say("--no-promise", name)
    if set(spec.fail_on) != set(default.fail_on):
        say("--fail-on", ",".join(name for name in spec.fail_on if name not in default.fail_on))
    if spec.inputs != default.inputs:
        say("--inputs", ",".join(spec.inputs))
    if not spec.marks:
        say("--marks", "off")
    return words
