"""Reproducing: the command that shows a finding again, ready to be pasted into a shell."""

import shlex
from pathlib import Path

from ..defaults import TIMEOUT
from ..store.fixtures import found_from_here
from ..target.options import DEFAULT_FAIL_ON
from ..target.spec import Spec, spec_to_json


def check_command(spec: Spec, *, seed: int, examples: int | None = None) -> str:
    """Return the `check` command of a spec; options that have their default value are left out.

    `examples` is what was asked for: another number is another stream of cases. Time must not cut the stream short on a
    slower machine, so there is no bound on it.
    """
    if spec.only_promised:
        return _python_call(spec, seed=seed, examples=examples)
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


def _python_call(spec: Spec, *, seed: int, examples: int | None) -> str:
    """Return the call of `trimfuzz.check` for a spec: only Python puts promises in place of those that are declared."""
    given, default = spec_to_json(spec), spec_to_json(Spec(spec.target))
    options = {key: value for key, value in given.items() if value != default.get(key) and key not in _CALLED_OTHERWISE}
    if spec.limit is not None or spec.fixed is not None:
        options["limit"] = _limit_words(spec)
    if spec.withdrawn:
        options["no_promise"] = list(spec.withdrawn)
    if spec.fail_on != DEFAULT_FAIL_ON:
        options["fail_on"] = [name for name in spec.fail_on if name not in DEFAULT_FAIL_ON]
    options |= {} if examples is None else {"examples": examples}
    words = [f"{key}={value!r}" for key, value in {**options, "seed": seed, "seconds": 0}.items()]
    return f"trimfuzz.check({', '.join([repr(spec.target), *words])})"


_CALLED_OTHERWISE = ("target", "limit", "fixed", "only_promised", "withdrawn", "fail_on")


def _limit_words(spec: Spec) -> str:
    return f"{spec.limit or 'messages'}{'' if spec.fixed is None else f'={spec.fixed}'}"


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
    if spec.without:
        say("--without", ",".join(spec.without))
    if spec.system != default.system:
        say("--system", spec.system)
    if spec.marks != default.marks:
        say("--marks", spec.marks)
    return words + _timeout(spec)


def _shape(spec: Spec) -> list[str]:
    """What a target is, without what it is held to: the options that `replay --with` takes too."""
    said = (
        ("--format", spec.format),
        ("--limit", _limit_words(spec) if spec.limit is not None or spec.fixed is not None else None),
        ("--count", spec.count),
        ("--call", spec.call),
    )
    words = [word for option, value in said if value is not None for word in (option, value)]
    words += ["--in-place"] if spec.in_place else []
    return words + [word for name in spec.refuses for word in ("--refuses", name)]


def _timeout(spec: Spec) -> list[str]:
    return [] if spec.timeout == TIMEOUT else ["--timeout", f"{spec.timeout:g}"]
