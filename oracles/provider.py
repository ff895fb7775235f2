"""Providers: the answers that one gives when a rule is broken, and its pack, made of what a module declares.

A pack is a profile of the same name with an answer for each rule of which it is known what the provider does. The
profile and the rules that the module declares decide what fails a trimmer; answers say what the provider is known to
do. Where the two disagree the answer's note says why: rules of pairing always fail, also where a provider would not
notice, and a rule that is rejected fails nobody before it is declared as enforced.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import field, frozen

from ..messages.reading.profile import Profile
from ..messages.reading.profiles import VERSIONS

if TYPE_CHECKING:
    from ..messages.formats.detect import ReadRequest
    from .rules.lint import Complaint

Confidence: TypeAlias = Literal["A", "B", "C", "D"]
"""A: official documentation or the vendor's code. B: the provider's text, quoted in a public report. C: a reporter's
claim without the raw text. D: hearsay, or a third party's imitation."""
Severity: TypeAlias = Literal["hard", "degraded", "accepted"]
"""hard: rejected with an error. degraded: accepted, but the model or the vendor misbehaves. accepted: taken
silently."""
FeatureValues: TypeAlias = dict[str, Any]

READ = "2026-11"


@frozen
class ProviderAnswer:
    """One rule under one provider. `text` is the exact error; None where there is none, or none was seen.

    `status` is the HTTP status, None for what is accepted and for a check in a client library. `source` is a URL,
    `date` when it was read. `versions` names the versions it holds for; none: all of them. `note` says what the other
    fields can not, and always why where a rule fails a trimmer and `severity` is not hard, or the other way round.
    """

    rule: str
    severity: Severity
    text: str | None
    source: str
    confidence: Confidence = "B"
    status: int | None = field(default=400, kw_only=True)
    date: str = field(default=READ, kw_only=True)
    versions: tuple[str, ...] = field(default=(), kw_only=True)
    note: str = field(default="", kw_only=True)


Excuse: TypeAlias = "Callable[[Complaint, ReadRequest], bool]"
"""Says whether a provider has a way of its own of saying what a rule takes for a fault of a request."""


@frozen
class VersionChange:
    """What one version changes beside the flags of its profile; `off` replaces that of its provider."""

    added: frozenset[str] = field(default=frozenset(), converter=frozenset)
    dropped: frozenset[str] = field(default=frozenset(), converter=frozenset)
    off: tuple[str, ...] | None = None


@frozen
class PackDeclaration:
    """One provider as its module in `packs` declares it.

    `enforces` are rules beside those that the flags of the profile turn on. `inputs` are the input classes that it
    accepts, `off` names the features (of `strategies.histories`) that it would reject or that its API has no place for;
    everything else is on. `mentions` are rules that lint speaks of although they fail nobody.
    """

    name: str
    answers: tuple[ProviderAnswer, ...] = ()
    enforces: frozenset[str] = field(default=frozenset(), converter=frozenset, kw_only=True)
    inputs: tuple[str, ...] = field(default=("valid",), kw_only=True)
    off: tuple[str, ...] = field(default=(), kw_only=True)
    versions: Mapping[str, VersionChange] = field(factory=dict[str, VersionChange], kw_only=True)
    excuses: "Excuse | None" = field(default=None, kw_only=True)
    mentions: frozenset[str] = field(default=frozenset(), converter=frozenset, kw_only=True)


@frozen
class Pack:
    """One provider, or one version of it: its profile, the rules whose breach fails a trimmer, what is known of each.

    `features` are keywords for `strategies.histories` and `random_histories`, which then make only histories that the
    provider accepts. `excuses` and `mentions` are those of the declaration, for lint.
    """

    name: str
    profile: Profile
    enforces: frozenset[str]
    answers: dict[str, ProviderAnswer] = field(factory=dict[str, ProviderAnswer], eq=False, repr=False)
    features: FeatureValues = field(factory=dict[str, Any], eq=False, repr=False)
    excuses: "Excuse | None" = field(default=None, eq=False, repr=False)
    mentions: frozenset[str] = field(default=frozenset(), eq=False, repr=False)

    def text(self, rule: str) -> ProviderAnswer | None:
        """Return what the provider answers when a rule is broken; None where no text is known."""
        found = self.answers.get(rule)
        return None if found is None or found.text is None else found

    @property
    def hard(self) -> frozenset[str]:
        """The rules whose breach is rejected with an error, whether they fail a trimmer or not."""
        return frozenset(rule for rule, answer in self.answers.items() if answer.severity == "hard")

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of this provider that have a pack of their own, oldest first, as `--provider` takes them."""
        base = self.name.partition("@")[0]
        return tuple(f"{base}@{version}" for version in VERSIONS.get(base, ()))


def pack_of(declared: PackDeclaration, profile: Profile) -> Pack:
    """Return the pack of a provider, or of one of its versions; the bare name is the last version."""
    base, _, version = profile.name.partition("@")
    change = declared.versions.get(version) or VersionChange()
    rules = profile.shape | declared.enforces
    if profile.reasoning or profile.turn_reasoning:
        rules |= {"reasoning-kept-with-followup"}
    if profile.need_user:
        rules |= {"nonempty-user"}
    asked = version or VERSIONS.get(base, ("",))[-1]
    off = declared.off if change.off is None else change.off
    return Pack(
        profile.name,
        profile,
        (rules | change.added) - change.dropped,
        {one.rule: one for one in declared.answers if not one.versions or asked in one.versions},
        {"inputs": declared.inputs, **dict.fromkeys(off, False)},
        declared.excuses,
        declared.mentions,
    )


def hard(
    rule: str,
    text: str | None,
    source: str,
    confidence: Confidence = "B",
    *,
    status: int | None = 400,
    versions: tuple[str, ...] = (),
    note: str = "",
) -> ProviderAnswer:
    """Return the answer to a breach that is rejected."""
    return ProviderAnswer(rule, "hard", text, source, confidence, status=status, versions=versions, note=note)


def accepted(
    rule: str, source: str, confidence: Confidence, *, versions: tuple[str, ...] = (), note: str = ""
) -> ProviderAnswer:
    """Return the answer to a breach that is taken silently."""
    return ProviderAnswer(rule, "accepted", None, source, confidence, status=None, versions=versions, note=note)


def calls_left_open(
    text: str, source: str, confidence: Confidence = "B", *, status: int | None = 400
) -> tuple[ProviderAnswer, ProviderAnswer]:
    """Return one text for the two ways in which a call is left without a result: alone, or with its batch cut."""
    return (
        hard("call-answered", text, source, confidence, status=status),
        hard("batch-atomic", text, source, confidence, status=status),
    )
