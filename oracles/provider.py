"""Providers: the answers that one gives when a rule is broken, and its pack, made of what a module declares.

A pack is a profile of the same name with an answer for each rule of which it is known what the provider does. The
profile and the rules that the module declares decide what fails a trimmer; answers say what the provider is known to
do. Where the two disagree the answer's note says why: rules of pairing always fail, also where a provider would not
notice, and a rule that is rejected fails nobody before it is declared as enforced.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

from ..messages.formats.detect import ReadRequest
from ..messages.reading.profile import Profile
from ..messages.reading.profiles import VERSIONS
from .facts.list_faults import Fault
from .provider_answers import ProviderAnswer

FeatureValues: TypeAlias = dict[str, Any]

Excuse: TypeAlias = Callable[[Fault, ReadRequest], bool]
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
    excuses: Excuse | None = field(default=None, kw_only=True)
    mentions: frozenset[str] = field(default=frozenset(), converter=frozenset, kw_only=True)


@frozen
class Pack:
    """One provider, or one version of it: its profile, the rules that fail a trimmer, what is known of each.

    `features` are keywords for `strategies.histories` and `random_histories`, which then make only histories that the
    provider accepts. `excuses` and `mentions` are those of the declaration, for lint.
    """

    name: str
    profile: Profile
    enforces: frozenset[str]
    answers: dict[str, ProviderAnswer] = field(factory=dict[str, ProviderAnswer], eq=False, repr=False)
    features: FeatureValues = field(factory=dict[str, Any], eq=False, repr=False)
    excuses: Excuse | None = field(default=None, eq=False, repr=False)
    mentions: frozenset[str] = field(default=frozenset(), eq=False, repr=False)

    def text(self, rule: str) -> ProviderAnswer | None:
        """Return what the provider answers when a rule is broken; None where no text is known."""
        found = self.answers.get(rule)
        return None if found is None or found.text is None else found

    @property
    def hard(self) -> frozenset[str]:
        """The rules that are enforced with an error, whether they fail a trimmer or not."""
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
