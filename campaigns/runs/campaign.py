"""A campaign: many trimmers, by time or by count, on all cores; what is found is on disk before it is told.

Each slot (a thread that waits on a worker process of its own) takes the trimmer whose turn it is and runs a slice of
the random lane on it, from where that trimmer stands. A cause that is new is shrunk at once and written as a fixture,
once for each signature. Fixtures of earlier campaigns are run again first: they are known, fixed, or changed.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from attrs import define, evolve, field

from ...messages.errors import TrimfuzzError
from ...messages.neutral import dump_history
from ...oracles.judging.folding import bug_key
from ..defaults import SHRINK_CAMPAIGN_SECONDS
from ..engine.bugs import Bug
from ..engine.records import Record, from_json, smaller
from ..store.accepted import Accepted
from ..store.fixture_format import Fixture
from ..store.fixtures import portable, read_all, signature_on_file, write_fixture
from ..target.contract import FAILING_CLASSES
from ..target.spec import Spec
from ..workers.exploration import histories
from ..workers.supervisor import Died, Supervisor
from .account import Account, Found, State
from .enough import ENOUGH_HISTORIES, Explored, lacking
from .replay import concerns
from .schedule import Turn, next_turn

SLICE_SECONDS = 2.0
"""The longest slice; in a short campaign over many trimmers slices are shorter, so that everybody is reached."""
SHORTEST_SLICE = 0.25
SLICE_EXAMPLES = 250
"""The histories of a slice, where they are counted."""
KNOWN_SECONDS = 3.0
FLOOR_SHARE = 0.5
"""The part of all time that is shared evenly before anybody gets more."""
KEEP_WORKERS = 48


Tell: TypeAlias = Callable[[Found], None]
Tick: TypeAlias = Callable[["Campaign"], None]


@define
class Campaign:
    """A campaign under way. `run` returns when time or count is used up; `stop` ends it early, nothing lost."""

    accounts: list[Account]
    directory: Path
    minutes: float
    examples: int
    jobs: int
    seed: int
    tell: Tell
    began: float = field(factory=monotonic)
    stopped: threading.Event = field(factory=threading.Event)
    lock: threading.RLock = field(factory=threading.RLock)
    workers: list[dict[str, Supervisor]] = field(factory=list[dict[str, Supervisor]])

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return monotonic() - self.began

    @property
    def slice_seconds(self) -> float:
        """How long a slice is: at most half of a trimmer's even share of the time."""
        if self.minutes <= 0:
            return SLICE_SECONDS
        share = 60 * self.minutes * self.jobs / max(len(self.accounts), 1)
        return min(SLICE_SECONDS, max(SHORTEST_SLICE, share / 2))

    @property
    def over(self) -> bool:
        """Whether time or count is used up."""
        if self.stopped.is_set() or not any(not account.problem for account in self.accounts):
            return True
        if self.minutes > 0 and self.seconds >= 60 * self.minutes:
            return True
        return self.examples > 0 and all(
            account.generated.examples >= self.examples or account.problem for account in self.accounts
        )

    @property
    def failed(self) -> bool:
        """Whether anything fails, or an accepted finding is gone."""
        return any(account.stale or account.folded.failing for account in self.accounts)

    def lacking(self, account: Account) -> str:
        """Say what too little was judged of one trimmer; empty where it was enough."""
        known, generated, minutes = account.known, account.generated, self.minutes
        words = "generated histories of valid or pending input"
        return lacking(known, generated, enough=ENOUGH_HISTORIES, what=words, bound=minutes, option="--minutes")

    def run(self, tick: Tick = lambda _campaign: None) -> None:
        """Run all slots; `tick` is called a few times a second from the calling thread."""
        self.directory.mkdir(parents=True, exist_ok=True)
        self.workers = [{} for _ in range(self.jobs)]
        threads = [threading.Thread(target=self._slot, args=(slot,), daemon=True) for slot in range(self.jobs)]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                for thread in threads:
                    thread.join(0.2 / len(threads))
                tick(self)
        finally:
            self.stop()
            for thread in threads:
                thread.join(2.0)

    def stop(self) -> None:
        """End every worker; what was found is on disk already."""
        self.stopped.set()
        for slot in self.workers:
            for worker in list(slot.values()):
                worker.close()

    def _slot(self, slot: int) -> None:
        while not self.over:
            account = self._take_turn(slot)
            if account is None:
                return
            began, before = monotonic(), len(account.records)
            try:
                worker = self._worker(slot, account)
                if worker is not None:
                    self._slice(worker, account)
            except Exception as error:
                # Stopping closes the workers under the slots' hands. Otherwise this trimmer is given up, whatever it
                # was, and the others go on.
                if not self.stopped.is_set():
                    account.problem = _problem(error)
            finally:
                with self.lock:
                    account.turn.busy -= 1
                    account.turn.account(seconds=monotonic() - began, causes=len(account.records) - before)

    def _take_turn(self, slot: int) -> Account | None:
        """Choose a trimmer; one whose worker stands ready in this slot, or nowhere, comes before others."""
        with self.lock:
            open_accounts = [
                account
                for account in self.accounts
                if not account.problem and not (self.examples and account.started >= self.examples)
            ]
            if not open_accounts:
                return None
            total = 60 * self.minutes if self.minutes > 0 else 0.0
            floor = FLOOR_SHARE * total * self.jobs / max(len(self.accounts), 1)
            at_home = [account for account in open_accounts if account.home in (None, slot) and not account.turn.busy]
            chosen = next_turn([account.turn for account in at_home or open_accounts], floor=floor)
            chosen.busy += 1
            account = next(account for account in open_accounts if account.turn is chosen)
            account.home = slot if account.home is None else account.home
            return account

    def _worker(self, slot: int, account: Account) -> Supervisor | None:
        known = self.workers[slot]
        name = account.turn.name
        if name not in known:
            while len(known) >= KEEP_WORKERS:
                known.pop(next(iter(known))).close()
            known[name] = Supervisor(account.spec)
            contract = known[name].start()
            with self.lock:
                first = account.contract is None
                account.contract = contract
            if first:
                try:
                    self._replay_known(known[name], account)
                finally:
                    account.replayed.set()
        # Another slot may be busy with what is on file: nothing is new before that is known.
        account.replayed.wait()
        known[name] = known.pop(name)
        return known[name]

    def _replay_known(self, worker: Supervisor, account: Account) -> None:
        """Run what is accepted and on file for this trimmer, before anything new is looked for."""
        for one in account.accepted:
            if self.stopped.is_set():
                return
            records = worker.judge(one.history, one.limit)
            same = next((record for record in records if bug_key(record.cause) == one.key), None)
            if same is None:
                account.not_seen.append(one)
            else:
                self._keep(account, _with_causes(same, records))
        mine = portable(account.spec.target)
        for fixture in read_all([self.directory], bad=lambda _path, _error: None):  # `replay` says what it cannot read
            if portable(fixture.found_by.trimmer) != mine or self.stopped.is_set():
                continue
            if fixture.path is not None:
                account.on_file[fixture.signature] = fixture.path
            if fixture.cause in account.reported or any(one.key == bug_key(fixture.cause) for one in account.accepted):
                continue
            records = worker.judge(dump_history(fixture.history), fixture.limit)
            same = next((record for record in records if bug_key(record.cause) == bug_key(fixture.cause)), None)
            if same is not None:
                same = evolve(same, url=fixture.found_by.url or None)
                self._keep(account, _with_causes(same, records))
                self._report(account, Found("known", Bug(None, same), fixture.path))
            elif changed := [record for record in records if concerns(record, fixture)]:
                self._keep(account, changed)
            else:
                self._report(account, Found("fixed", Bug(None, _record_of(fixture)), fixture.path))
        self._file(worker, account)

    def _slice(self, worker: Supervisor, account: Account) -> None:
        with self.lock:
            first = not account.known_lane_begun
            account.known_lane_begun = True
        if not first:
            account.known_lane_over.wait()
            self._explore(worker, account, "random")
            return
        try:
            self._explore(worker, account, "known")
        finally:
            account.known_lane_over.set()

    def _explore(self, worker: Supervisor, account: Account, lane: str) -> None:
        assert account.contract is not None
        # The known cases are few and find most; a package that is slow to wake gets the time for all of them. Where
        # histories are counted, a slice ends by count.
        seconds = self.slice_seconds if lane == "random" else max(self.slice_seconds, KNOWN_SECONDS)
        if self.minutes > 0:
            seconds = min(seconds, max(60 * self.minutes - self.seconds, 0.05))
        elif self.examples:
            seconds = 0.0
        with self.lock:
            start = account.started if lane == "random" else 0
            wanted = 1_000_000 if not self.examples or lane == "known" else self.examples - account.started
            share = min(wanted, SLICE_EXAMPLES if self.examples else 500_000)
            if lane == "random":
                account.started += share
        done = 0
        fresh: dict[str, Record] = {}
        what = histories(lane, observe=False)
        for event in worker.explore(what, seed=self.seed, start=start, examples=share, seconds=seconds):
            if event["event"] == "finding":
                record = from_json(event["record"])
                fresh[record.cause] = smaller(fresh.get(record.cause), record)
            elif event["event"] == "done":
                done = event["examples"]
                self._add(account, event, lane)
        with self.lock:
            if lane == "random" and not self.examples:
                account.started += done - share
            if worker.unstable:
                account.problem = "unstable: it ended its process too often"
        self._keep(account, fresh.values())
        self._file(worker, account)
        if worker.ended and not account.judged:
            account.problem = f"nothing could be judged: its process ended: {worker.ended}"

    def _add(self, account: Account, event: dict[str, Any], lane: str) -> None:
        counting = sum(event["judged"].get(name, 0) for name in FAILING_CLASSES)
        with self.lock:
            if lane == "known":
                account.known = Explored(event["examples"], counting, event["complete"], event["total"])
            else:
                examples = account.generated.examples + event["examples"]
                all_of_it = bool(self.examples) and examples >= self.examples
                account.generated = Explored(examples, account.generated.judged + counting, all_of_it)
            for record in map(from_json, event["edge"]):
                account.edge[record.key] = smaller(account.edge.get(record.key), record)
            account.examples += event["examples"]
            account.trims += event["trims"]
            account.ratios += event["ratios"]
            account.exercised |= set(event["exercised"])
            for status, number in event["statuses"].items():
                account.statuses[status] = account.statuses.get(status, 0) + number

    def _keep(self, account: Account, records: Iterable[Record]) -> None:
        """Keep what was found, unless nobody promised it. A cause that was reported keeps its case."""
        assert account.contract is not None
        with self.lock:
            for record in records:
                promised = record.kind != "promise" or record.rule in account.contract.promises
                flaky = record.cause in account.reported and account.reported[record.cause].state == "flaky"
                known = account.records.get(record.cause)
                if promised and not flaky and (known is None or (known.explained_by and not record.explained_by)):
                    account.records[record.cause] = record

    def _file(self, worker: Supervisor, account: Account) -> None:
        """Shrink, file and report the bugs that were not reported yet."""
        while not self.stopped.is_set():
            with self.lock:
                folded = account.folded
                bug = next((one for one in (*folded.bugs, *folded.apart) if not account.is_reported(one)), None)
                if bug is None:
                    return
                state: State = "new" if bug.record.accepted is None else "accepted"
                account.reported[bug.cause] = Found(state, bug)
            if state == "accepted":
                self._report(account, Found(state, bug))
            else:
                self._file_one(worker, account, bug)

    def _file_one(self, worker: Supervisor, account: Account, bug: Bug) -> None:
        assert account.contract is not None
        small = worker.shrink(bug.record, seconds=min(SHRINK_CAMPAIGN_SECONDS, 4 * self.slice_seconds))
        if small is None:
            with self.lock:
                account.flaky += 1
                del account.records[bug.cause]
            self._report(account, Found("flaky", bug))
            return
        with self.lock:
            account.records[bug.cause] = small
        shown = Bug(bug.number, small, bug.also)
        known = (account.on_file.get(signature_on_file(record)) for record in shown.records)
        seen = next((path for path in known if path is not None), None)
        path = seen or write_fixture(
            shown,
            self.directory,
            spec=account.spec,
            wire=account.contract.format,
            version=account.contract.version,
            seed=self.seed,
        )
        self._report(account, Found("new" if seen is None else "known", shown, path))

    def _report(self, account: Account, found: Found) -> None:
        with self.lock:
            account.reported[found.record.cause] = found
            self.tell(found)


def _with_causes(record: Record, records: Iterable[Record]) -> list[Record]:
    """Return a finding with those of its case that explain it."""
    return [record, *(other for other in records if other.key in record.explained_by)]


def _problem(error: Exception) -> str:
    if isinstance(error, TrimfuzzError):
        return str(error)
    if isinstance(error, Died):
        return f"its worker process could not be kept alive ({error.status})"
    return f"internal error, please report it: {type(error).__name__}: {error}"


def _record_of(fixture: Fixture) -> Record:
    """Say a fixture as a record that fails no more."""
    return Record(
        fixture.found_by.trimmer,
        fixture.rule,
        fixture.cause,
        fixture.cause.rsplit("/", 1)[-1],
        "always",
        False,
        fixture.input_class,
        dump_history(fixture.history),
        fixture.limit,
        "ok",
        provider=fixture.provider,
        minimal=True,
        url=fixture.found_by.url or None,
    )


def campaign(
    specs: list[Spec],
    *,
    directory: Path,
    minutes: float = 0.0,
    examples: int = 0,
    jobs: int = 1,
    seed: int = 0,
    accepted: Sequence[Accepted] = (),
    tell: Tell = lambda _found: None,
) -> Campaign:
    """Set up a campaign over the given trimmers; `minutes` or `examples` (of each trimmer) bound it.

    `accepted` are findings that do not fail; those of other trimmers are left alone.
    """
    return Campaign(
        [
            Account(
                spec, Turn(spec.target), accepted=tuple(one for one in accepted if one.trimmer == portable(spec.target))
            )
            for spec in specs
        ],
        directory,
        minutes,
        examples,
        max(jobs, 1),
        seed,
        tell,
    )
