"""On which parts of a payload the answers of the other side depend, as far as its recorded answers show.

The consumer keeps in git what its service answers to the contract's examples, many of which differ in one place alone.
Two that differ there, and have different answers, show that the place is read. So the producer, which has no such
service at hand, can tell a change that is read as something else from one that nobody reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from graphbus_core.contracts import NOTHING
from graphbus_core.contracts.example_values import LAST_EXACT, walk_leaves
from graphbus_core.services.contract_sharing.formulas import find_formulas, foretell, is_same_answer
from graphbus_core.text import shorten

Place = tuple[str, ...]
ITEM, ORDER = "[]", "[order]"
ANY_NAME = "{}"  # in the place of a name: whichever of a map it is
_SHOWN_CHARS = 200


class Readings:
    """Payloads of a contract, each with what the other side answered."""

    def __init__(self, entries: Sequence[tuple[Any, Any]]) -> None:
        self._entries = entries
        self._formulas = find_formulas(entries)
        places = self._list_places()
        self._read = {place for place in places if self._is_read(place)}

    def reads(self, place: Place) -> bool:
        """Whether some answer depends on a place, or on one of a map."""
        return any(
            len(known) == len(place) and all(name in (ANY_NAME, own) for own, name in zip(known, place, strict=True))
            for known in self._read
        )

    def find_change(self, before: Any, now: Any) -> str | None:
        """What is another thing in a payload now, in a place that is read; None where there is no such place, or where
        the answer to it is foretold to be the same."""
        foretold = [foretell(self._formulas, payload) for payload in (before, now)] if self._formulas else [None]
        is_foretold = None not in foretold
        if is_foretold and is_same_answer(*foretold):
            return None
        differences = list(list_differences(before, now))
        read = [one for one in differences if any(place[: len(one[0])] == one[0] for place in self._read)]
        for place, was, value in read or (differences if is_foretold else []):
            shown = [
                shorten(json.dumps(part), _SHOWN_CHARS) if part is not NOTHING else "away" for part in (was, value)
            ]
            return f"{describe_place(place)} was {shown[0]} and is {shown[1]}"
        return None

    def find_rounded(self, payload: Any) -> tuple[str, int] | None:
        """The place of a number that the other side cannot tell from its neighbours, as its answers to others of that
        size show; None where there is none."""
        for place, leaf in _walk_named(payload):
            if isinstance(leaf, int) and abs(leaf) > LAST_EXACT and place in self._read and self._is_rounded(place):
                return describe_place(place), leaf
        return None

    def _is_rounded(self, place: Place) -> bool:
        """Whether two numbers that a double cannot tell apart have the same answer, wherever both were tried."""
        answers: dict[str, dict[int, str]] = {}
        for payload, answer in self._entries:
            for found, leaf in _walk_named(payload):
                if found == place and leaf in (LAST_EXACT + 1, LAST_EXACT + 2):
                    answers.setdefault(_write(_without(payload, place)), {})[leaf] = _write(answer)
        pairs = [said for said in answers.values() if len(said) > 1]
        return bool(pairs) and all(len(set(said.values())) == 1 for said in pairs)

    def _list_places(self) -> set[Place]:
        return {place for payload, _ in self._entries for place in _walk_places(payload, ())}

    def _is_read(self, place: Place) -> bool:
        """Whether two payloads that differ in this place alone have different answers."""
        answers: dict[str, str] = {}
        for payload, answer in self._entries:
            rest, said = _write(_without(payload, place)), _write(answer)
            if answers.setdefault(rest, said) != said:
                return True
        return False


def list_differences(before: Any, now: Any, place: Place = ()) -> Iterator[tuple[Place, Any, Any]]:
    """The smallest places in which two payloads differ, with what stood there and what does. Items of a list are one
    place; a list in another order differs in its order alone."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in dict.fromkeys([*before, *now]):
            yield from list_differences(before.get(name, NOTHING), now.get(name, NOTHING), (*place, name))
    elif _write(before) == _write(now):
        return
    elif isinstance(before, list) and isinstance(now, list):
        if sorted(map(_write, before)) == sorted(map(_write, now)):
            yield (*place, ORDER), before, now
        elif len(before) != len(now):
            yield place, before, now
        else:
            for was, value in zip(before, now, strict=True):
                yield from list_differences(was, value, (*place, ITEM))
    else:
        yield place, before, now


def _walk_named(payload: Any) -> Iterator[tuple[Place, Any]]:
    for place, leaf in walk_leaves(payload):
        yield tuple(ITEM if isinstance(name, int) else name for name in place), leaf


def describe_place(place: Place) -> str:
    """A place as it is named to people: `lines[].sku`."""
    return ".".join(place).replace(f".{ITEM}", ITEM) or "the payload"


def _walk_places(value: Any, place: Place) -> Iterator[Place]:
    if place:
        yield place
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk_places(inner, (*place, name))
    elif isinstance(value, list):
        yield (*place, ORDER)
        for inner in value:
            yield from _walk_places(inner, (*place, ITEM))


def _without(value: Any, place: Place) -> Any:
    """A payload with nothing in a place; with a list sorted, where the place is its order."""
    if not place:
        return None
    if isinstance(value, dict) and place[0] in value:
        rest = {name: inner for name, inner in value.items() if name != place[0]}
        return rest if len(place) == 1 else rest | {place[0]: _without(value[place[0]], place[1:])}
    if isinstance(value, list) and place[0] == ORDER:
        return sorted(value, key=_write)
    if isinstance(value, list) and place[0] == ITEM:
        return [_without(inner, place[1:]) for inner in value]
    return value


def _write(value: Any) -> str:
    return json.dumps(value, sort_keys=True) if value is not NOTHING else ""
