"""When a change makes a link worse, and when it mends one: the one rule that votes, trials and gates go by. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from graphbus_core.contracts.check import JsonSchema, find_gaps
from graphbus_core.model.graph import Endpoint, Link, Mismatch
from graphbus_core.model.operation import DeleteMethod, Operation, RenameMethod
from graphbus_core.text import describe_new

PAYLOAD_MAX = 500  # characters of a payload in one sentence


@dataclass(frozen=True)
class LinkFault:
    """A link that does not fit. `contracts`: each pair of what is sent and what is taken that meets on it; `stood`:
    those of its reasons that were there before a change."""

    link: Link
    compatible: bool | None
    reasons: tuple[str, ...]
    counterexample: Any = None
    contracts: tuple[tuple[JsonSchema, JsonSchema], ...] = field(default=(), repr=False)
    stood: tuple[str, ...] = ()

    @classmethod
    def from_mismatch(cls, mismatch: Mismatch, contracts: Iterable[tuple[JsonSchema, JsonSchema]]) -> LinkFault:
        """A finding of the links of a project, with the contracts at its ends."""
        return cls(mismatch.link, mismatch.compatible, mismatch.reasons, mismatch.counterexample, tuple(contracts))

    def is_worse_than(self, before: LinkFault | None) -> bool:
        """Whether it did not stand before, or fails in a field that did not fail before."""
        if before is None:
            return True
        if self.contracts and self.contracts == before.contracts:
            return False
        failing = self.list_failing()
        return not failing or not failing <= before.list_failing()

    def list_failing(self) -> set[str]:
        """The path of every field that fails."""
        return {gap.path for sent, taken in self.contracts for gap in find_gaps(sent, taken)}

    def describe_left(self, before: LinkFault) -> dict[str, Any]:
        """What a change leaves of a fault that stood before: which fields fit now, and what still does not fit."""
        failing = self.list_failing()
        return {
            "link": self.link.id,
            "agents": self.list_agents(),
            # Without a field that fails, nothing says which of those that failed are mended.
            "mended": sorted(before.list_failing() - failing) if failing else [],
            "fields": sorted(failing),
            "reasons": list(self.reasons),
        }

    def set_apart(self, before: LinkFault | None) -> LinkFault:
        """The same after a change, which is not blamed for what was wrong before it."""
        stood = tuple(reason for reason in self.reasons if before is not None and reason in before.reasons)
        return replace(self, stood=stood) if stood and len(stood) < len(self.reasons) else self

    def list_agents(self) -> list[str]:
        """The agents at its two ends."""
        return sorted({self.link.producer.node, self.link.consumer.node})

    def to_dict(self) -> dict[str, Any]:
        """The form in `computed`."""
        return {
            "link": self.link.id,
            "agents": self.list_agents(),
            "compatible": self.compatible,
            "reasons": list(self.reasons),
            "counterexample": self.counterexample,
            **({"stood": list(self.stood)} if self.stood else {}),
        }

    def __str__(self) -> str:
        text = f"it breaks {self.link.id}: {describe_new(self.reasons, self.stood)}"
        if self.counterexample is None:
            return f"{text}."
        payload = json.dumps(self.counterexample, ensure_ascii=False, default=str)
        return f"{text}. For example {payload[:PAYLOAD_MAX]} may be sent, and is not accepted."


Faults = Mapping[str, LinkFault]  # by the link's id
Renames = Mapping[tuple[str, str], str]  # node and method -> the method's new name


def collect_renames(ops: Sequence[Operation]) -> dict[tuple[str, str], str]:
    """The methods that have another name after a diff."""
    renames: dict[tuple[str, str], str] = {}
    for op in ops:
        if isinstance(op, RenameMethod | DeleteMethod):
            now = (op.node, op.method or "")
            first = next((key for key, to in renames.items() if (key[0], to) == now), now)
            renames.pop(first, None)
            if isinstance(op, RenameMethod):
                renames[first] = op.to
    return renames


def rename_ends(link: Link, renames: Renames) -> Link:
    """The link as it is called after the methods at its ends were renamed: callers are followed, so it stands."""

    def rename(end: Endpoint) -> Endpoint:
        to = renames.get((end.node, end.method or ""))
        return replace(end, method=to) if to is not None else end

    return replace(link, producer=rename(link.producer), consumer=rename(link.consumer)) if renames else link


class FaultChanges(NamedTuple):
    """What a change does to the links.

    `mended`: ids of the links that fit now, or are no longer there. `left`: those that a change is about, that did not
    fit before, do not fit now, and in no field more; each with the fields of it that are mended.
    """

    worse: list[LinkFault]
    mended: list[str]
    left: list[dict[str, Any]]


def compare_faults(before: Faults, after: Faults, renames: Renames) -> FaultChanges:
    """The links that a change breaks, those that it mends, and those that it leaves as links that do not fit."""
    stood = {rename_ends(fault.link, renames).id: fault for fault in before.values()}
    worse = [fault.set_apart(stood.get(key)) for key, fault in after.items() if fault.is_worse_than(stood.get(key))]
    broken = {fault.link.id for fault in worse}
    left = [
        fault.describe_left(stood[key])
        for key, fault in after.items()
        if key in stood and fault.link.id not in broken and fault.contracts != stood[key].contracts
    ]
    return FaultChanges(worse, [fault.link.id for key, fault in stood.items() if key not in after], left)
