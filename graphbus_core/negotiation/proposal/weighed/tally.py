"""What the evaluations of one proposal amount to (seed 000, "Three outcome paths"; design §6.4, §6.7).

Silence is neither yes nor no; a breaking change needs everybody; and no commit without one real accept by somebody
whom it concerns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.negotiation.proposal.vocabulary import Decision, ProposalType

_YES = (Decision.ACCEPT, Decision.ACCEPT_WITH_MODIFICATION)
_NO = (Decision.REJECT, Decision.COUNTER)


@dataclass(frozen=True)
class Tally:
    """`verdict`: agreed, contested, rejected or deferred; `by` says what decided it."""

    verdict: str
    by: str
    why: str


class EvaluationCollector:
    """The evaluations of one proposal as they come in.

    `electorate`: those whom the change concerns. Others, whom the proposer merely named, may object; they carry no
    majority, and their accept is not the one that a commit needs (design §6.2).
    """

    __slots__ = ("defers", "electorate", "evaluations", "evaluators", "silent")

    def __init__(self, evaluators: Sequence[str], electorate: Sequence[str]) -> None:
        self.evaluators = tuple(evaluators)
        self.electorate = tuple(electorate)
        self.evaluations: dict[str, Mapping[str, Any]] = {}
        self.silent: dict[str, str] = {}
        self.defers: dict[str, int] = {}

    def add(self, evaluator: str, evaluation: Mapping[str, Any], max_defers: int) -> None:
        """Take an evaluation in. A defer too many is silence."""
        self.evaluations[evaluator] = evaluation
        if evaluation["decision"] == Decision.DEFER:
            count = self.defers[evaluator] = self.defers.get(evaluator, 0) + 1
            if count > max_defers:
                self.silent[evaluator] = f"deferred {count} times"

    def add_silence(self, evaluator: str, why: str) -> None:
        """Take note that an evaluator did not answer."""
        self.silent[evaluator] = why

    def waiting(self) -> tuple[str, ...]:
        """Who is still to be asked: whoever was not yet, and whoever deferred and may be asked again."""
        return tuple(
            n
            for n in self.evaluators
            if n not in self.silent and (n not in self.evaluations or self._said(n) == Decision.DEFER)
        )

    def accepts(self) -> list[str]:
        """Who said yes."""
        return [n for n in self.evaluators if self._said(n) in _YES and n not in self.silent]

    def rejects(self) -> list[str]:
        """Who said no."""
        return [n for n in self.evaluators if self._said(n) in _NO and n not in self.silent]

    def has_quorum(self) -> bool:
        """Whether somebody whom it concerns really said yes, or it concerns nobody."""
        accepts = set(self.accepts())
        return not self.electorate or any(n in accepts for n in self.electorate)

    def is_unanimous(self) -> bool:
        """Whether every evaluator said yes."""
        return len(self.accepts()) == len(self.evaluators)

    def has_majority(self) -> bool:
        """Whether more of those whom it concerns said yes than no; a tie is no."""
        return self.margin() > 0

    def margin(self) -> int:
        """Yes minus no among those whom it concerns."""
        voters = set(self.electorate)
        return len(voters.intersection(self.accepts())) - len(voters.intersection(self.rejects()))

    def _said(self, name: str) -> Any:
        evaluation = self.evaluations.get(name)
        return None if evaluation is None else evaluation["decision"]

    def tally(self, computed: Mapping[str, Any]) -> Tally:
        """What follows from the answers so far. `computed` is what the engine found the proposal to do."""
        if not self.evaluators:
            return Tally("agreed", "gates", "nobody is affected; the gates alone decide")
        accepts, rejects = self.accepts(), self.rejects()
        breaking = computed["type"] == ProposalType.BREAKING_CHANGE
        if breaking and rejects:
            return Tally("rejected", "evaluators", f"a breaking change needs everybody; {_join(rejects)} said no")
        if breaking and self.silent:
            return Tally("rejected", "silence", f"a breaking change needs everybody; {_join(self.silent)} said nothing")
        if waiting := self.waiting():
            return Tally("deferred", "evaluators", f"{_join(waiting)} will be asked again")
        if rejects and not accepts:
            return Tally("rejected", "evaluators", f"{_join(rejects)} said no and nobody said yes")
        if not self.has_quorum():
            return Tally("rejected", "quorum", "nobody whom it concerns said yes")
        if rejects:
            return Tally("contested", "evaluators", f"{_join(accepts)} said yes, {_join(rejects)} said no")
        if unproved := [n for n in self.silent if not still_holds(n, computed)]:
            return Tally("contested", "silence", f"{_join(unproved)} said nothing, and it is not proved that they may")
        return Tally("agreed", "unanimous", f"{_join(accepts)} said yes")


def still_holds(name: str, computed: Mapping[str, Any]) -> bool:
    """Whether it is proved that an agent's contracts hold after the change: its own class untouched, no link broken."""
    return name not in computed["owners"] and not any(name in b["agents"] for b in computed["breaks"])


def _join(names: Any) -> str:
    return ", ".join(names)
