"""Where two seats meet at a symbol, and the choices by which they settle it. Pure: plans and uses in, questions out.

There are two ways to meet. Both change the same symbol (or one changes a class, and the other a method in it). Or one
changes what users of a symbol can tell, and what the other touches relies on it. Everything else is nobody's business.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.negotiation.team.plan import ADD, ADD_PARAMETER, BODY, REMOVE, RENAME, Change
from graphbus_core.negotiation.team.state import Seat, State

MAX_SHOWN = 3  # changes or breaks that a question quotes


@dataclass(frozen=True)
class Overlap:
    """Two seats at one symbol. `first` and `second` are what each does there; `use`: where the second relies on it."""

    seats: tuple[str, str]
    about: str
    topic: str
    first: tuple[Change, ...]
    second: tuple[Change, ...] = ()
    use: str = ""

    @property
    def items(self) -> tuple[str, ...]:
        """What makes it a question: one more of these makes it another."""
        sides = ((self.seats[0], self.first), (self.seats[1], self.second))
        return tuple(sorted(f"{seat}: {c.symbol}: {' '.join(c.key).strip()}" for seat, side in sides for c in side))


def find_overlaps(state: State) -> Iterator[Overlap]:
    """Every pair of seats and symbol, each once, in the order in which the seats sat down."""
    active = state.list_active()
    claims = {seat.name: seat.list_claims() for seat in active}
    for i, left in enumerate(active):
        for right in active[i + 1 :]:
            yield from _compare(left, right, claims[left.name], claims[right.name])


def _compare(left: Seat, right: Seat, ours: Sequence[Change], theirs: Sequence[Change]) -> Iterator[Overlap]:
    by_symbol: dict[str, tuple[list[Change], list[Change]]] = {}
    for i, side in enumerate((ours, theirs)):
        for change in side:
            by_symbol.setdefault(change.symbol, ([], []))[i].append(change)
    met: set[str] = set()
    for symbol, (first, second) in by_symbol.items():
        if first and second:
            met.add(symbol)
            yield Overlap((left.name, right.name), symbol, _find_topic(first, second), tuple(first), tuple(second))
    yield from _find_nested(left, right, ours, theirs, met)
    yield from _find_nested(right, left, theirs, ours, met)
    yield from _find_dependence(left, right, ours, met)
    yield from _find_dependence(right, left, theirs, met)


def _find_nested(
    owner: Seat, other: Seat, ours: Sequence[Change], theirs: Sequence[Change], met: set[str]
) -> Iterator[Overlap]:
    """One removes what the other changes a part of."""
    for change in ours:
        if change.kind != REMOVE or change.symbol in met:
            continue
        inner = tuple(c for c in theirs if c.symbol.startswith(f"{change.symbol}."))
        if inner:
            met.add(change.symbol)
            yield Overlap((owner.name, other.name), change.symbol, "removal", (change,), inner)


def _find_dependence(owner: Seat, other: Seat, ours: Sequence[Change], met: set[str]) -> Iterator[Overlap]:
    for symbol in dict.fromkeys(change.symbol for change in ours if change.is_contract):
        use = other.find_use(symbol)
        if use and symbol not in met:
            changes = tuple(c for c in ours if c.symbol == symbol and c.is_contract)
            yield Overlap((owner.name, other.name), symbol, "depends", changes, use=use)


def _find_topic(first: Sequence[Change], second: Sequence[Change]) -> str:
    kinds = [{c.kind for c in side} for side in (first, second)]
    if any(kind in side for side in kinds for kind in (REMOVE,)):
        return "removal"
    if all(kinds_of == {BODY} for kinds_of in kinds):
        return "body"
    if all(ADD in side for side in kinds) or all(RENAME in side for side in kinds):
        return "name"
    if {c.key for c in first if c.is_contract} & {c.key for c in second if c.is_contract}:
        return "shared"
    if all(ADD_PARAMETER in side for side in kinds):
        return "parameters"
    return "order"


# ---- what is asked


def build_question(overlap: Overlap) -> tuple[str, str, tuple[dict[str, Any], ...]]:
    """The id of the question, its text, and its choices."""
    content = json.dumps([overlap.seats, overlap.about, overlap.topic, overlap.items])
    ident = f"q-{_hash(content, 2)}"
    choices = tuple(make_choice(ident, content, text, effect) for text, effect in _list_choices(overlap))
    return ident, _describe(overlap), choices


def make_choice(question: str, content: str, text: str, effect: dict[str, Any]) -> dict[str, Any]:
    """A choice with the hash that both accept: of the question, what both do there, and the words."""
    return {"hash": _hash(json.dumps([question, content, text, effect]), 4), "text": text, "effect": effect}


def _hash(content: str, size: int) -> str:
    return hashlib.blake2b(content.encode(errors="replace"), digest_size=size).hexdigest()


def _describe(overlap: Overlap) -> str:
    left, right = overlap.seats
    if overlap.topic == "depends":
        text = f"{left} changes {overlap.about} ({_join(overlap.first)})"
        text += f", and what {right} touches relies on it: {overlap.use}."
        broken = [b for c in overlap.first for b in c.breaks if b["place"].rpartition(":")[0] in overlap.use]
        broken = broken or [b for c in overlap.first for b in c.breaks]
        if broken:
            payload = f" Given {broken[0]['payload']}" if broken[0].get("payload") else ""
            text += f" It breaks at {broken[0]['place']}: {broken[0]['why']}.{payload}"
        return text
    return f"Both change {overlap.about}: {left} ({_join(overlap.first)}), {right} ({_join(overlap.second)})."


def _join(changes: Iterable[Change]) -> str:
    said = [c.describe() for c in changes]
    return "; ".join(said[:MAX_SHOWN]) + (f"; and {len(said) - MAX_SHOWN} more" if len(said) > MAX_SHOWN else "")


def _list_choices(overlap: Overlap) -> Iterator[tuple[str, dict[str, Any]]]:
    left, right = overlap.seats
    first = [c for c in overlap.first if c.kind == ADD_PARAMETER]
    second = [c for c in overlap.second if c.kind == ADD_PARAMETER]
    match overlap.topic:
        case "parameters":
            for (one, ones), (two, twos) in (((left, first), (right, second)), ((right, second), (left, first))):
                names = [c.name for c in (*ones, *twos)]
                text = f"the order is {', '.join(names)}; {one} lands first, {two} syncs and adds its own behind"
                yield text, {"first": one, "order": names}
        case "name":
            yield from _list_names(overlap)
            yield from _list_owners(overlap)
        case "shared":
            yield from _list_owners(overlap)
        case "removal":
            remover, keeper = (left, right) if any(c.kind in (REMOVE, RENAME) for c in overlap.first) else (right, left)
            yield f"{remover} lands first; {keeper} syncs and does its part on what is left", {"first": remover}
            yield f"{keeper} lands first; {remover} syncs and decides again", {"first": keeper}
            yield f"{remover} leaves it as it is", {"owner": keeper}
        case "depends":
            yield f"{left} lands first; {right} syncs and follows", {"first": left}
            yield f"{right} lands first; {left} syncs and changes that use too", {"first": right}
            yield "both are right as they stand: that use is not touched by it", {}
        case _:
            yield f"{left} lands first; {right} syncs and goes on from there", {"first": left}
            yield f"{right} lands first; {left} syncs and goes on from there", {"first": right}
            yield from _list_owners(overlap)


def _list_names(overlap: Overlap) -> Iterator[tuple[str, dict[str, Any]]]:
    """One name, where both rename the same."""
    names = [next((c.to for c in side if c.kind == RENAME), "") for side in (overlap.first, overlap.second)]
    for seat, other, name in ((*overlap.seats, names[0]), (*overlap.seats[::-1], names[1])):
        if name:
            yield f"the name is {name}; {seat} renames it, {other} leaves that to {seat}", {"owner": seat, "name": name}


def _list_owners(overlap: Overlap) -> Iterator[tuple[str, dict[str, Any]]]:
    what = overlap.about.rpartition("::")[2]
    for seat, other in (overlap.seats, overlap.seats[::-1]):
        yield f"{seat} does all of {what}; {other} leaves it alone and uses what lands", {"owner": seat}
