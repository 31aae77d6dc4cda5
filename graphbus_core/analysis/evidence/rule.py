"""Whether two fields may be paired without asking anybody: the one rule, pure. It must not know where facts come from.

Without a model a repair may add no flow (design §10). A rename says "this field of the producer is what the consumer
means", and names, types, defaults and descriptions cannot know that: francs arrive as USD, 0.15 as a percent. Two
things can:

    the program    it already hands this very value over. A call that runs binds the consumer's field to a value whose
                   only origin, on every way through the code, is that field of exactly that method, by assignment,
                   access, unpacking, building and passing alone. Of a test also: it stood when the build began, it
                   passes, and it holds the result to be equal. One call that pairs either field differently, or makes
                   something of the value first, and nobody here knows which of the two is the mistake
    a person       it is declared: an alias says that both names are one, or a property does, which gives this very
                   field of what the producer gave under the consumer's name, and no call pairs either one differently

A NewType that both ends carry is not a declaration: it names what a value is, an account, and not which part it plays,
the payee's or the debtor's. Everything else is a question. What nearly sufficed is told with it, because whoever
answers wants to look there first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pairing:
    """One call that gives a field of the producer (`sent`) to a field of the consumer (`taken`).

    `test`: the test that makes it. `doubts`: what keeps it from being a witness, in words. `is_made`:
    Python takes it; another speaks neither for a pair nor against one. `differs`: it makes something of the value.
    """

    sent: str
    taken: str
    place: str
    test: str = ""
    doubts: tuple[str, ...] = ()
    is_made: bool = True
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Ground:
    """One thing that speaks for a pair. `kind`: flow, test, alias; newtype, table and nearly back no repair."""

    kind: str
    says: str
    where: str


def rule_on_pair(
    sent: str,
    taken: str,
    pairings: Sequence[Pairing],
    declared: Sequence[Ground] = (),
    second_names: Sequence[Ground] = (),
) -> tuple[Ground, ...]:
    """What backs this pair; where nothing does, what nearly did. `second_names`: what code calls the field."""
    if declared:
        return tuple(declared)
    same = [p for p in pairings if (p.sent, p.taken) == (sent, taken)]
    against = [
        p
        for p in pairings
        if p.is_made and (p.sent == sent or p.taken == taken) and ((p.sent, p.taken) != (sent, taken) or p.differs)
    ]
    grounds = [] if against else [_describe_witness(p) for p in same if p.is_made and not p.doubts]
    grounds += [] if against else second_names
    if grounds:
        return tuple(dict.fromkeys(grounds))
    doubts = [f"{against[0].place} pairs them otherwise"] if against else []
    near = (
        Ground("nearly", f"a call gives '{sent}' as '{taken}', but {'; '.join([*p.doubts, *doubts])}", p.place)
        for p in same
    )
    return tuple(dict.fromkeys(near))


def _describe_witness(pairing: Pairing) -> Ground:
    kind, who = ("test", "a passing test") if pairing.test else ("flow", "a call")
    return Ground(kind, f"{who} gives '{pairing.sent}' as '{pairing.taken}'", pairing.place)
