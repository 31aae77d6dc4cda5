"""Two versions of a contract in one document, so that what they have in common is one thing.

References are rewritten to lead into `#/$defs/old` or `#/$defs/new`. A part of the new version that is the same as in
the old one, all that it refers to included, *is* the old one: whoever compares sees at once that nothing changed there.
"""

from __future__ import annotations

from typing import Any

from graphbus_core.contracts.inclusion.formulas.documents import Document, Library
from graphbus_core.contracts.reading.dialects import NEWEST
from graphbus_core.contracts.reading.walk import NOWHERE, Place, escaped, everything, follow, parts, pointer_text, same
from graphbus_core.contracts.values.budget import Budget, GivesUp

# Every part is looked at. A larger version is refused, and not compared by half.
MAX_NODES = 400_000  # schemas of one version that are looked at
_DROPPED = frozenset({"$id", "id", "$schema", "$anchor"})  # references no longer go by them


class Pair:
    """`old` and `new` as rewritten; `place_of` says where a part of them stood, `resolve` follows references."""

    def __init__(self, old: Any, new: Any) -> None:
        self._places: dict[int, Place] = {}
        self.definitions: dict[str, Any] = {}
        self.root: dict[str, Any] = {"$defs": self.definitions}
        self._foreign: dict[str, dict[str, Any]] = {}
        first = _Version(self, old, "old", None)
        self.old = first.read()
        second = _Version(self, new, "new", first)
        self.new = second.read()

    def place_of(self, part: Any) -> Place:
        """Where a part stood in its version; () for what was made here."""
        return self._places.get(id(part), ())

    def resolve(self, schema: Any) -> Any:
        """What a bare reference leads to."""
        # Twenty steps: a reference to a reference is common, a chain of twenty is a circle.
        for _ in range(20):
            if not isinstance(schema, dict) or set(schema) != {"$ref"}:
                break
            found = follow(self.root, schema["$ref"]) if str(schema["$ref"]).startswith("#") else NOWHERE
            if found is NOWHERE:
                break
            schema = found
        return schema

    def foreign(self, uri: str) -> dict[str, Any]:
        # Equal to itself and to nothing else, so that an unknown type that stays is not a change.
        """The one schema that stands for a document that is not here: equal to itself, and nothing is known of it."""
        return self._foreign.setdefault(uri, {"$ref": uri})


class _Version:
    """One version on its way into a pair."""

    def __init__(self, pair: Pair, raw: Any, name: str, other: _Version | None) -> None:
        self._pair, self.raw, self._name, self._other = pair, raw, name, other
        budget = Budget(MAX_NODES)
        self._document = Document(raw, NEWEST, budget)
        self._library = Library(budget)
        # By place, before anything is rewritten: what is rewritten has no place in a file any more.
        self.place = {id(one): place for place, one in everything(raw) if isinstance(one, dict)}
        self.made: dict[Place, Any] = {}
        self._same = self._same_targets() if other is not None else frozenset()

    def read(self) -> Any:
        """The whole version, rewritten."""
        made = self._rewritten(self.raw, ())
        self._pair.definitions[self._name] = made
        return made

    def _rewritten(self, schema: Any, place: Place) -> Any:
        if not isinstance(schema, dict):
            return schema
        made = {k: v for k, v in schema.items() if k not in _DROPPED or not isinstance(v, str)}
        for inner, one in parts(made):
            self._put(made, schema, inner, self._rewritten(one, place + inner))
        if "$ref" in made:
            made["$ref"] = self._reference(schema)
            if set(made) == {"$ref"} and not made["$ref"].startswith("#"):
                made = self._pair.foreign(made["$ref"])
        before = self._other.made.get(place) if self._other is not None else None
        # Made of equal parts it is the old one itself, which makes "did anything change here" a question of identity.
        if before is not None and _same_but_parts(before, made):
            made = before
        self.made[place] = made
        self._pair._places.setdefault(id(made), place)
        return made

    @staticmethod
    def _put(made: dict[str, Any], schema: dict[str, Any], inner: Place, value: Any) -> None:
        key = str(inner[0])
        if len(inner) == 1:
            made[key] = value
            return
        if made[key] is schema[key]:
            made[key] = schema[key].copy()
        made[key][inner[1]] = value

    def target(self, schema: dict[str, Any]) -> tuple[Any, Place | None]:
        """What a reference leads to, and its place in this version; (NOWHERE, None) where it leads out."""
        try:
            where, found = self._library.follow(self._document, schema, "$ref")
        except (GivesUp, RecursionError):
            return NOWHERE, None
        if where is not self._document:
            return NOWHERE, None
        return found, self.place.get(id(found), None) if isinstance(found, dict) else None

    def _reference(self, schema: dict[str, Any]) -> str:
        found, place = self.target(schema)
        if found is NOWHERE or not isinstance(schema["$ref"], str):
            return str(schema["$ref"])
        if place is not None:
            # Only where both versions say the same all the way down: else a shared name would hide a change behind
            # it.
            shared = place in self._same
            return f"#/$defs/{'old' if shared else self._name}{pointer_text(place)}"
        # It leads to where no keyword stands (`#/components/schemas/A`): the target gets a name of its own.
        name = f"{self._name}:{schema['$ref']}"
        if name not in self._pair.definitions:
            self._pair.definitions[name] = {}  # taken, before the target is met again within itself
            self._pair.definitions[name] = self._rewritten(found, ("$ref", schema["$ref"]))
        return "#/$defs/" + escaped(name)

    def _same_targets(self) -> frozenset[Place]:
        """Places that references lead to, where both versions say the same, through all further references."""
        assert self._other is not None
        needs: dict[Place, set[Place | None]] = {}
        for one in [o for _, o in everything(self.raw) if isinstance(o, dict) and "$ref" in o]:
            place = self.target(one)[1]
            if place is not None and place not in needs and place:
                mine, theirs = _at(self.raw, place), _at(self._other.raw, place)
                if theirs is not NOWHERE and same(mine, theirs):
                    inner = [o for _, o in everything(mine) if isinstance(o, dict) and "$ref" in o]
                    needs[place] = {self.target(o)[1] for o in inner}
        # What it refers to must be the same too, and what that refers to: names drop out until no more do.
        while True:
            gone = {p for p, wanted in needs.items() if not wanted <= needs.keys()}
            if not gone:
                return frozenset(needs)
            for place in gone:
                del needs[place]


def _at(document: Any, place: Place) -> Any:
    found = document
    for part in place:
        try:
            found = found[part]
        except (KeyError, IndexError, TypeError):
            return NOWHERE
    return found


def _same_but_parts(a: Any, b: Any) -> bool:
    """Whether two schemas are equal, given that equal parts within them are one object already."""
    if not isinstance(a, dict) or not isinstance(b, dict) or a.keys() != b.keys():
        return False
    mine, theirs = dict(parts(a)), dict(parts(b))
    if mine.keys() != theirs.keys():
        return False
    if any(one is not theirs[place] for place, one in mine.items()):
        return False
    containers = {place[0] for place in mine}
    return all(key in containers or same(value, b[key]) for key, value in a.items())
