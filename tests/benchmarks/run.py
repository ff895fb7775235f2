"""The figures of the suite's own speed: `python tests/benchmarks/run.py [--only NAME] [--rounds N]`.

CPU time, arms in turns, several rounds; never a test that fails for time. What is measured: how fast histories are
made (Hypothesis and the random lane), what judging costs beside the trim that it judges, how many fully judged trims a
campaign makes, how cost grows with the history, and what a second process brings.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from math import log
from statistics import mean
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis.control import current_build_context
from hypothesis.strategies import SearchStrategy
from measure import Costs, Figure, measure, table
from rich.console import Console

from trimfuzz.campaigns.engine.engine import engine_for
from trimfuzz.campaigns.engine.tally import Tally
from trimfuzz.campaigns.target.contract import Contract, contract_for
from trimfuzz.implementations.museum import CORRECT
from trimfuzz.implementations.running import _compare, run  # pyright: ignore[reportPrivateUsage]
from trimfuzz.messages.cases import Case, Outcome
from trimfuzz.messages.limits import Limit
from trimfuzz.messages.model import Call, History, Message
from trimfuzz.oracles.best.best import most, ref
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.rules.registry import RULES
from trimfuzz.strategies.encoding.features import features_of
from trimfuzz.strategies.hypothesis_strategies import histories, histories_with_points
from trimfuzz.strategies.lane import random_histories

SIZE = 79
EXAMPLES = 500
ALWAYS = tuple(name for name, rule in RULES.items() if rule.kind == "always")
PAIR = ("no-orphan", "no-input-mutation")
TRIMMER = next(trimmer for trimmer in CORRECT if trimmer.name == "suffix-by-units")
"""The correct trimmer beside which judging is measured: the newest exchanges that fit, on OpenAI chat dicts."""
FEATURES = features_of(TRIMMER.format)


def hypothesis_lane(rounds: int) -> list[Figure]:
    """Generation and interpretation alone, and what an example consists of."""
    seen: dict[str, list[tuple[int, int]]] = {"a history": [], "a history and a point": []}

    def arm(name: str, strategy: SearchStrategy[Any], length: Callable[[Any], int]) -> Callable[[], int]:
        @settings(max_examples=EXAMPLES, phases=[Phase.generate], database=None, deadline=None)
        @given(strategy)
        def draw(value: Any) -> None:
            seen[name].append((length(value), len(current_build_context().data.nodes)))

        def once() -> int:
            before = len(seen[name])
            draw()
            return len(seen[name]) - before

        return once

    costs = measure(
        {
            "a history": arm("a history", histories(), len),
            "a history and a point": arm("a history and a point", histories_with_points(), lambda drawn: len(drawn[0])),
        },
        rounds,
    )
    found: list[Figure] = []
    for name, choices in (("a history", 4), ("a history and a point", 5)):
        found.append(rate(f"Hypothesis: {name}", "examples/s", costs, name, 1000))
        found.append(Figure("  choices an example", "mean", [mean(c for _, c in seen[name])], at_most=choices))
        found.append(Figure("  messages an example", "mean", [mean(length for length, _ in seen[name])]))
    return found


def random_lane(rounds: int) -> list[Figure]:
    """The same strings of bytes, drawn at random."""
    lane = random_histories(1)
    lengths: list[int] = []

    def arm() -> int:
        lengths.extend(len(drawn.history) for drawn in islice(lane, 2000))
        return 2000

    costs = measure({"lane": arm}, rounds)
    return [
        rate("random lane", "histories/s", costs, "lane", 15_000),
        Figure("  messages a history", "mean", [mean(lengths)]),
    ]


def judging(rounds: int) -> list[Figure]:
    """What judging costs beside the trim that it judges, at 79 messages, over all limits of a history."""
    drawn = random_histories(3, features=FEATURES, inputs=("valid",), min_size=SIZE, max_size=SIZE)
    contract = contract_for(TRIMMER)
    prepared = [Trims(contract, item.history) for item in islice(drawn, 20)] * 2
    trims = sum(len(one.outcomes) for one in prepared)

    def over(work: Callable[[Trims], object]) -> Callable[[], int]:
        def arm() -> int:
            for one in prepared:
                work(one)
            return trims

        return arm

    arms = {
        "trim": over(Trims.trim),
        "run": over(Trims.run),
        "pair": over(lambda one: (one.compare(), one.judge(PAIR))),
        "always": over(lambda one: (one.compare(), one.judge(ALWAYS))),
        "every": over(lambda one: one.judge(None)),
        "ref": over(lambda one: one.best(ref)),
        "most": over(lambda one: one.best(most)),
    }
    costs = measure(arms, rounds)
    beside = "of a trim"
    return [
        micro(f"a unit-wise trim of {SIZE} messages", costs, "trim"),
        Figure("  written, trimmed, compared and read", beside, costs.ratios("run", "trim"), loops=costs.loops("run")),
        Figure(
            "  no-orphan, no-input-mutation, survivors", beside, costs.ratios("pair", "trim"),
            loops=costs.loops("pair"), at_most=0.7,
        ),
        Figure(
            "  all rules that always fail", beside, costs.ratios("always", "trim"), loops=costs.loops("always"),
            at_most=2,
        ),
        Figure("  every rule there is", beside, costs.ratios("every", "trim"), loops=costs.loops("every")),
        Figure("  ref, a limit", beside, costs.ratios("ref", "trim"), loops=costs.loops("ref")),
        Figure("  most, a limit", beside, costs.ratios("most", "trim"), loops=costs.loops("most")),
    ]  # fmt: skip


class Trims:
    """A history with the outcomes of its trims, and the pieces of work that are measured on them, each over all limits.

    Every piece reads the history afresh, as a campaign does once for all its limits.
    """

    def __init__(self, contract: Contract, history: History, limits: list[Limit] | None = None) -> None:
        self.contract, self.history = contract, history
        self.limits = limits or [Limit("messages", value) for value in range(1, len(history), 2)]
        self.items = TRIMMER.format.write_history(history)
        self.outcomes: list[Outcome] = [run(TRIMMER, case, count=contract.count) for case in self.cases()]

    def cases(self) -> Iterator[Case]:
        """The cases of a freshly read history."""
        example = self.contract.example(self.history)
        return (Case(example, limit) for limit in self.limits)

    def trim(self) -> None:
        """The trimmer alone, on messages that are there."""
        for limit in self.limits:
            TRIMMER.trim(list(self.items), limit.value, self.contract.count)

    def run(self) -> None:
        """The trimmer as it is run: a fresh input, compared afterwards, and the output read."""
        for case in self.cases():
            run(TRIMMER, case, count=self.contract.count)

    def compare(self) -> None:
        """The input against a second copy of it: what no-input-mutation rests on."""
        for case in self.cases():
            _compare(case, TRIMMER, self.items, self.items)

    def judge(self, rules: tuple[str, ...] | None) -> None:
        """The verdicts."""
        for case, outcome in zip(self.cases(), self.outcomes, strict=True):
            judge(case, outcome, rules=rules)

    def best(self, ask: Callable[[Case], object]) -> None:
        """The best legal trim, or the most that can be kept."""
        for case in self.cases():
            ask(case)


def judged_trims(rounds: int) -> list[Figure]:
    """Everything that a campaign does for a trim: drawing, sweeping, running, judging, relations, utilisation."""
    contract = contract_for(TRIMMER)
    engine = engine_for(contract, observe=False)
    lane = (drawn.history for drawn in random_histories(5, features=FEATURES))

    def arm() -> int:
        tally = Tally(contract)
        for history in islice(lane, 60):
            engine.examine(history, tally, seed=tally.examples)
        return tally.trims

    costs = measure({"campaign": arm}, rounds)
    return [rate("campaign on that trimmer", "judged trims/s", costs, "campaign", 5000)]


def growth(rounds: int) -> list[Figure]:
    """Cost against the length of a history; 1 is linear."""
    lengths = (100, 200, 500, 1000, 2000)
    contract = contract_for(TRIMMER)

    def arm(length: int) -> Callable[[], int]:
        one = Trims(contract, long_history(length), [Limit("messages", length // 2)])

        def once() -> int:
            repeats = 4000 // length
            for _ in range(repeats):
                one.run()
                one.judge(ALWAYS)
            return repeats * length

        return once

    costs = measure({str(length): arm(length) for length in lengths}, rounds)
    found = [micro(f"run and judged, {length:,} messages, each", costs, str(length)) for length in lengths]
    exponents = [slope(lengths, [costs.of[str(length)][number] for length in lengths]) for number in range(rounds)]
    found.append(Figure("  growth: cost ~ length to the power of", "exponent", exponents, at_most=1.1))
    return found


def slope(lengths: tuple[int, ...], each: list[float]) -> float:
    """Fit cost ~ length ** slope, from the cost of each message."""
    x = [log(length) for length in lengths]
    y = [log(length * cost) for length, cost in zip(lengths, each, strict=True)]
    spread = sum((one - mean(x)) ** 2 for one in x)
    return sum((one - mean(x)) * (other - mean(y)) for one, other in zip(x, y, strict=True)) / spread


def long_history(length: int) -> History:
    """A valid history of turns with one to three parallel calls, cut to a length."""
    found: list[Message] = [Message("system", "rules")]
    while len(found) < length:
        here = len(found)
        calls = tuple(Call(f"c{here}-{number}") for number in range(1 + here % 3))
        found.append(Message("user", f"question {here}"))
        found.append(Message("assistant", calls=calls))
        found.extend(Message("tool", f"result {call.id}", call_id=call.id) for call in calls)
        found.append(Message("assistant", f"answer {here}"))
    return tuple(found[:length])


def two_processes(rounds: int) -> list[Figure]:
    """Fully judged trims of two processes beside one.

    By the clock, which is what counts, and needs two idle cores; and by the CPU time that they got.
    """
    clock: list[float] = []
    cpu: list[float] = []
    for _ in range(min(rounds, 3)):
        alone, together = workers(1), workers(2)
        clock.append(sum(trims for trims, _ in together) / alone[0][0])
        cpu.append(sum(trims / spent for trims, spent in together) * alone[0][1] / alone[0][0])
    return [
        Figure("two campaign processes, by the clock", "of one", clock, at_least=1.7),
        Figure("  by the CPU time that they got", "of one", cpu),
    ]


def workers(count: int) -> list[tuple[int, float]]:
    """Run so many processes at once; return the trims that each of them judged, and the CPU seconds it had."""
    command = [sys.executable, __file__, "--work", "4"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(count)]
    return [tuple(json.loads(process.communicate()[0])) for process in running]


def work(seconds: float) -> tuple[int, float]:
    """Judge trims for so long by the clock, once everything is loaded; return how many, and the CPU seconds."""
    contract = contract_for(TRIMMER)
    engine, tally = engine_for(contract, observe=False), Tally(contract)
    start, end = time.process_time(), time.perf_counter() + seconds
    for drawn in random_histories(7, features=FEATURES):
        if time.perf_counter() > end:
            break
        engine.examine(drawn.history, tally, seed=tally.examples)
    return tally.trims, time.process_time() - start


def rate(name: str, unit: str, costs: Costs, arm: str, target: float) -> Figure:
    """Return operations a second."""
    return Figure(name, unit, [1 / cost for cost in costs.of[arm]], loops=costs.loops(arm), at_least=target)


def micro(name: str, costs: Costs, arm: str) -> Figure:
    """Return microseconds an operation."""
    return Figure(name, "µs", [cost * 1e6 for cost in costs.of[arm]], loops=costs.loops(arm))


FIGURES = {
    "hypothesis": hypothesis_lane, "lane": random_lane, "judging": judging, "campaign": judged_trims, "growth": growth,
    "processes": two_processes,
}  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", metavar="NAME", action="append", choices=list(FIGURES), help=", ".join(FIGURES))
    parser.add_argument("--rounds", metavar="N", type=int, default=7)
    parser.add_argument("--work", metavar="SECONDS", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work is not None:
        print(json.dumps(work(options.work)))
        return
    console = Console(width=None if sys.stdout.isatty() else 110)
    for name in options.only or FIGURES:
        figures = FIGURES[name](options.rounds)
        console.print(table(f"{name}, {options.rounds} rounds", figures))
    console.print("CPU time, arms in turns. In loops: cost of one operation, in thousands of turns of a plain loop.")


if __name__ == "__main__":
    main()
