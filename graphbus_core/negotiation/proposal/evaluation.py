"""What the evaluations of one proposal amount to (seed 000, "Three outcome paths"; design §6.4, §6.7).

Silence is neither yes nor no; a breaking change needs everybody; and no commit without one real accept by somebody
whom it concerns.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.model.operation import FieldOperation, Operation, RemoveField, RenameField, RetypeField
from graphbus_core.negotiation.proposal.vocabulary import Decision, ProposalType

# Proposals of one round that touch the same field differently (conflict type 2), and who may rule on them.
#
# Conflict is not transitive, so what goes to the arbiter together is a connected component (design §2, trap 2).


def map_touched_fields(ops: Sequence[Operation], defaults: bool = True) -> dict[str, frozenset[str]]:
    """Field address -> what is done to it. A rename touches the old and the new name.

    `defaults`: whether another default is another thing to do.
    """
    touched: dict[str, set[str]] = {}
    for op in ops:
        if not isinstance(op, FieldOperation):
            continue
        change = op.to_dict()
        change.pop("description", None)  # two wordings of one field are one field
        if not defaults:
            change.pop("default", None)
        text = json.dumps(change, sort_keys=True)
        touched.setdefault(op.address, set()).add(text)
        if isinstance(op, RenameField):
            head, dot, _ = op.address.rpartition(".")
            touched.setdefault(f"{head}{dot}{op.to}", set()).add(text)
    return {address: frozenset(change) for address, change in touched.items()}


def find_conflicts(
    proposals: Mapping[str, Sequence[Operation]], defaults: bool = True
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The components of two or more proposals in conflict: (proposal ids in the given order, addresses).

    Without `defaults` a difference in a default alone is not one: whichever is committed first stands, and the other is
    told that its ground moved. That needs nobody's ruling.
    """
    root = {pid: pid for pid in proposals}
    fields: dict[str, set[str]] = {}

    def find_root(pid: str) -> str:
        while root[pid] != pid:
            root[pid] = root[root[pid]]
            pid = root[pid]
        return pid

    by_address: dict[str, list[tuple[str, frozenset[str]]]] = {}
    uproots: dict[str, list[str]] = {}  # address -> proposals that remove, rename or retype it, and so all inside it
    for pid, ops in proposals.items():
        for address, changes in map_touched_fields(ops, defaults).items():
            by_address.setdefault(address, []).append((pid, changes))
        for op in ops:
            if isinstance(op, RemoveField | RenameField | RetypeField):
                uproots.setdefault(op.address, []).append(pid)
    for address, touched in by_address.items():
        for pid, changes in touched:
            others = [other for other, done_by_other in touched if other != pid and done_by_other != changes]
            others += [o for outer in _list_enclosing(address) for o in uproots.get(outer, ()) if o != pid]
            for other in others:
                root[find_root(other)] = find_root(pid)
                fields.setdefault(pid, set()).add(address)
    members: dict[str, list[str]] = {}
    for pid in proposals:
        members.setdefault(find_root(pid), []).append(pid)
    return [
        (tuple(group), tuple(sorted({a for pid in group for a in fields.get(pid, ())})))
        for group in members.values()
        if len(group) > 1
    ]


def _list_enclosing(address: str) -> Iterable[str]:
    """The addresses that hold this one: `A.m.output.item` for `A.m.output.item.price`; `item` and `item[]` alike."""
    outer = address
    while "." in outer:
        outer = outer.rpartition(".")[0]
        yield outer.removesuffix("[]")


class ArbiterRouter:
    """Who rules: every arbiter in order, but none that proposed or evaluated (design §6.13, trap 5)."""

    def __init__(self, arbiters: Sequence[str]) -> None:
        self.arbiters = tuple(arbiters)

    def route(self, parties: Container[str], tried: Container[str] = ()) -> str | None:
        """The first arbiter that is not a party and has not been tried, or None."""
        return next((a for a in self.arbiters if a not in parties and a not in tried), None)


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

    def list_waiting(self) -> tuple[str, ...]:
        """Who is still to be asked: whoever was not yet, and whoever deferred and may be asked again."""
        return tuple(
            n
            for n in self.evaluators
            if n not in self.silent and (n not in self.evaluations or self._find_decision(n) == Decision.DEFER)
        )

    def list_accepts(self) -> list[str]:
        """Who said yes."""
        return [n for n in self.evaluators if self._find_decision(n) in _YES and n not in self.silent]

    def list_rejects(self) -> list[str]:
        """Who said no."""
        return [n for n in self.evaluators if self._find_decision(n) in _NO and n not in self.silent]

    def has_quorum(self) -> bool:
        """Whether somebody whom it concerns really said yes, or it concerns nobody."""
        accepts = set(self.list_accepts())
        return not self.electorate or any(n in accepts for n in self.electorate)

    def is_unanimous(self) -> bool:
        """Whether every evaluator said yes."""
        return len(self.list_accepts()) == len(self.evaluators)

    def has_majority(self) -> bool:
        """Whether more of those whom it concerns said yes than no; a tie is no."""
        return self.compute_margin() > 0

    def compute_margin(self) -> int:
        """Yes minus no among those whom it concerns."""
        voters = set(self.electorate)
        return len(voters.intersection(self.list_accepts())) - len(voters.intersection(self.list_rejects()))

    def _find_decision(self, name: str) -> Any:
        evaluation = self.evaluations.get(name)
        return None if evaluation is None else evaluation["decision"]

    def tally(self, computed: Mapping[str, Any]) -> Tally:
        """What follows from the answers so far. `computed` is what the engine found the proposal to do."""
        if not self.evaluators:
            return Tally("agreed", "gates", "nobody is affected; the gates alone decide")
        accepts, rejects = self.list_accepts(), self.list_rejects()
        breaking = computed["type"] == ProposalType.BREAKING_CHANGE
        if breaking and rejects:
            return Tally("rejected", "evaluators", f"a breaking change needs everybody; {_join(rejects)} said no")
        if breaking and self.silent:
            return Tally("rejected", "silence", f"a breaking change needs everybody; {_join(self.silent)} said nothing")
        if waiting := self.list_waiting():
            return Tally("deferred", "evaluators", f"{_join(waiting)} will be asked again")
        if rejects and not accepts:
            return Tally("rejected", "evaluators", f"{_join(rejects)} said no and nobody said yes")
        if not self.has_quorum():
            return Tally("rejected", "quorum", "nobody whom it concerns said yes")
        if rejects:
            return Tally("contested", "evaluators", f"{_join(accepts)} said yes, {_join(rejects)} said no")
        if unproved := [n for n in self.silent if not is_proven_unaffected(n, computed)]:
            return Tally("contested", "silence", f"{_join(unproved)} said nothing, and it is not proved that they may")
        return Tally("agreed", "unanimous", f"{_join(accepts)} said yes")


def is_proven_unaffected(name: str, computed: Mapping[str, Any]) -> bool:
    """Whether it is proved that an agent's contracts hold after the change: its own class untouched, no link broken."""
    return name not in computed["owners"] and not any(name in b["agents"] for b in computed["breaks"])


def _join(names: Any) -> str:
    return ", ".join(names)
