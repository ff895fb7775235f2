"""Reproducing: the command that shows a finding again, ready to be pasted into a shell."""

import shlex
from pathlib import Path

from ..defaults import TIMEOUT
from ..store.fixtures import found_from_here
from ..target.spec import Spec


def check_command(spec: Spec, *, seed: int, examples: int | None = None) -> str:
    """Return the `check` command of a spec; options that have their default value are left out.

    `examples` is what was asked for: another number is another stream of cases. Time must not cut the stream short on a
    slower machine, so there is no bound on it.
    """
    words = ["trimfuzz", "check", spec.target, *spec_options(spec), "--seed", str(seed), "--seconds", "0"]
    if examples is not None:
        words += ["--examples", str(examples)]
    return shlex.join(words)


def sessions_command(
    spec: Spec, *, seed: int, examples: int | None = None, steps: int | None = None, then: str | None = None
) -> str:
    """Return the `sessions` command of a spec; `examples` and `steps` are what was asked for, where it was."""
    words = ["trimfuzz", "sessions", spec.target, *spec_options(spec)]
    for option, value in (("--then", then), ("--steps", steps), ("--examples", examples)):
        if value is not None:
            words += [option, str(value)]
    return shlex.join([*words, "--seed", str(seed), "--seconds", "0"])


def replay_command(path: Path | str, *, spec: Spec | None = None) -> str:
    """Return the `replay` command of a fixture; `spec` is the trimmer to run it on, where the fixture does not say."""
    instead = [] if spec is None else ["--with", spec.target, *_shape(spec), *_timeout(spec)]
    return shlex.join(["trimfuzz", "replay", str(path), *instead])


def fixture_command(path: Path | str, spec: Spec) -> str:
    """Return the `replay` command of a fixture found with a spec: one of a file elsewhere has lost its folder."""
    named = (spec.target, spec.count or "", *spec.refuses)
    return replay_command(path, spec=None if all(found_from_here(one) for one in named) else spec)


def spec_options(spec: Spec) -> list[str]:
    """Return the options that say a spec on the command line of `check`."""
    default = Spec(spec.target)
    words = _shape(spec)

    def say(option: str, value: str | None) -> None:
        if value is not None:
            words.extend((option, value))

    say("--provider", spec.provider)
    for name, bound in spec.promises.items():
        say("--promise", name if bound == 1.0 else f"{name}={bound:g}")
    for name in spec.withdrawn:
        say("--no-promise", name)
    if set(spec.fail_on) != set(default.fail_on):
        say("--fail-on", ",".join(name for name in spec.fail_on if name not in default.fail_on))
    if spec.inputs != default.inputs:
        say("--inputs", ",".join(spec.inputs))
    if spec.lowest_limit != default.lowest_limit:
        say("--lowest-limit", str(spec.lowest_limit))
    if not spec.marks:
        say("--marks", "off")
    return words + _timeout(spec)


def _shape(spec: Spec) -> list[str]:
    """What a target is, without what it is held to: the options that `replay --with` takes too."""
    window = "" if spec.fixed is None else f"={spec.fixed}"
    said = (
        ("--format", spec.format),
        ("--limit", f"{spec.limit or 'messages'}{window}" if spec.limit is not None or window else None),
        ("--count", spec.count),
        ("--call", spec.call),
    )
    words = [word for option, value in said if value is not None for word in (option, value)]
    words += ["--in-place"] if spec.in_place else []
    return words + [word for name in spec.refuses for word in ("--refuses", name)]


def _timeout(spec: Spec) -> list[str]:
    return [] if spec.timeout == TIMEOUT else ["--timeout", f"{spec.timeout:g}"]
