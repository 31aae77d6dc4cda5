"""Proposals of one round that touch the same field differently (conflict type 2), and who may rule on them.

Conflict is not transitive, so what goes to the arbiter together is a connected component (design §2, trap 2).
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence

from graphbus_core.model.operation import FieldOperation, Operation, RemoveField, RenameField, RetypeField


def touches(ops: Sequence[Operation], defaults: bool = True) -> dict[str, frozenset[str]]:
    """Field address -> what is done to it. A rename touches the old and the new name.

    `defaults`: whether another default is another thing to do.
    """
    found: dict[str, set[str]] = {}
    for op in ops:
        if not isinstance(op, FieldOperation):
            continue
        done = op.to_dict()
        done.pop("description", None)  # two wordings of one field are one field
        if not defaults:
            done.pop("default", None)
        text = json.dumps(done, sort_keys=True)
        found.setdefault(op.address, set()).add(text)
        if isinstance(op, RenameField):
            head, dot, _ = op.address.rpartition(".")
            found.setdefault(f"{head}{dot}{op.to}", set()).add(text)
    return {address: frozenset(done) for address, done in found.items()}


def conflicting(
    proposals: Mapping[str, Sequence[Operation]], defaults: bool = True
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The components of two or more proposals in conflict: (proposal ids in the given order, addresses).

    Without `defaults` a difference in a default alone is none: whichever is committed first stands, and the other is
    told that its ground moved. That needs nobody's ruling.
    """
    root = {pid: pid for pid in proposals}
    fields: dict[str, set[str]] = {}

    def find(pid: str) -> str:
        while root[pid] != pid:
            root[pid] = root[root[pid]]
            pid = root[pid]
        return pid

    at: dict[str, list[tuple[str, frozenset[str]]]] = {}
    uproots: dict[str, list[str]] = {}  # address -> proposals that remove, rename or retype it, and so all inside it
    for pid, ops in proposals.items():
        for address, done in touches(ops, defaults).items():
            at.setdefault(address, []).append((pid, done))
        for op in ops:
            if isinstance(op, RemoveField | RenameField | RetypeField):
                uproots.setdefault(op.address, []).append(pid)
    for address, touched in at.items():
        for pid, done in touched:
            others = [other for other, done_by_other in touched if other != pid and done_by_other != done]
            others += [o for outer in _outer(address) for o in uproots.get(outer, ()) if o != pid]
            for other in others:
                root[find(other)] = find(pid)
                fields.setdefault(pid, set()).add(address)
    members: dict[str, list[str]] = {}
    for pid in proposals:
        members.setdefault(find(pid), []).append(pid)
    return [
        (tuple(group), tuple(sorted({a for pid in group for a in fields.get(pid, ())})))
        for group in members.values()
        if len(group) > 1
    ]


def _outer(address: str) -> Iterable[str]:
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
