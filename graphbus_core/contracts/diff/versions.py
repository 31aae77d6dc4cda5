"""One value's schema seen through `$ref` and `allOf`: its fields, items, branches, and what else it says.

`View.replace_aspect` makes a schema that differs from this one in a single aspect, which is taken from another view. So
one
change can be judged by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from graphbus_core.contracts.inclusion.references import DocumentLibrary, SchemaDocument
from graphbus_core.contracts.parsing.json_schema import (
    NEWEST,
    NOWHERE,
    SILENT,
    TYPE_NAMES,
    Place,
    encode_pointer_part,
    follow_pointer,
    is_same_json,
    iter_subschemas,
    render_pointer,
    walk_schemas,
)
from graphbus_core.contracts.verdict import Budget, Inconclusive

# Two versions of a contract in one document, so that what they have in common is one thing.
#
# References are rewritten to lead into `#/$defs/old` or `#/$defs/new`. A part of the new version that is the same as in
# the old one, all that it refers to included, *is* the old one: whoever compares sees at once that nothing changed
# there.


# Every part is looked at. A larger version is refused, and not compared by half.
MAX_NODES = 400_000  # schemas of one version that are looked at
_DROPPED = frozenset({"$id", "id", "$schema", "$anchor"})  # references no longer go by them


class VersionPair:
    """`old` and `new` as rewritten; `find_place` says where a part of them stood, `resolve` follows references."""

    def __init__(self, old: Any, new: Any) -> None:
        self._places: dict[int, Place] = {}
        self.definitions: dict[str, Any] = {}
        self.root: dict[str, Any] = {"$defs": self.definitions}
        self._foreign: dict[str, dict[str, Any]] = {}
        first = _VersionRewriter(self, old, "old", None)
        self.old = first.rewrite()
        second = _VersionRewriter(self, new, "new", first)
        self.new = second.rewrite()

    def find_place(self, part: Any) -> Place:
        """Where a part stood in its version; () for what was made here."""
        return self._places.get(id(part), ())

    def resolve(self, schema: Any) -> Any:
        """What a bare reference leads to."""
        # Twenty steps: a reference to a reference is common, a chain of twenty is a circle.
        for _ in range(20):
            if not isinstance(schema, dict) or set(schema) != {"$ref"}:
                break
            target = follow_pointer(self.root, schema["$ref"]) if str(schema["$ref"]).startswith("#") else NOWHERE
            if target is NOWHERE:
                break
            schema = target
        return schema

    def make_foreign_schema(self, uri: str) -> dict[str, Any]:
        # Equal to itself and to nothing else, so that an unknown type that stays is not a change.
        """The one schema that stands for a document that is not here: equal to itself, and nothing is known of it."""
        return self._foreign.setdefault(uri, {"$ref": uri})


class _VersionRewriter:
    """One version on its way into a pair."""

    def __init__(self, pair: VersionPair, raw: Any, name: str, other: _VersionRewriter | None) -> None:
        self._pair, self.raw, self._name, self._other = pair, raw, name, other
        budget = Budget(MAX_NODES)
        self._document = SchemaDocument(raw, NEWEST, budget)
        self._library = DocumentLibrary(budget)
        # By place, before anything is rewritten: what is rewritten has no place in a file any more.
        self.place = {id(part): place for place, part in walk_schemas(raw) if isinstance(part, dict)}
        self.made: dict[Place, Any] = {}
        self._same = self._find_unchanged_targets() if other is not None else frozenset()

    def rewrite(self) -> Any:
        """The whole version, rewritten."""
        rewritten = self._rewrite_schema(self.raw, ())
        self._pair.definitions[self._name] = rewritten
        return rewritten

    def _rewrite_schema(self, schema: Any, place: Place) -> Any:
        if not isinstance(schema, dict):
            return schema
        rewritten = {k: v for k, v in schema.items() if k not in _DROPPED or not isinstance(v, str)}
        for inner, subschema in iter_subschemas(rewritten):
            self._replace_part(rewritten, schema, inner, self._rewrite_schema(subschema, place + inner))
        if "$ref" in rewritten:
            rewritten["$ref"] = self._rewrite_reference(schema)
            if set(rewritten) == {"$ref"} and not rewritten["$ref"].startswith("#"):
                rewritten = self._pair.make_foreign_schema(rewritten["$ref"])
        before = self._other.made.get(place) if self._other is not None else None
        # Made of equal parts it is the old one itself, which makes "did anything change here" a question of identity.
        if before is not None and _is_same_but_parts(before, rewritten):
            rewritten = before
        self.made[place] = rewritten
        self._pair._places.setdefault(id(rewritten), place)
        return rewritten

    @staticmethod
    def _replace_part(rewritten: dict[str, Any], schema: dict[str, Any], inner: Place, value: Any) -> None:
        key = str(inner[0])
        if len(inner) == 1:
            rewritten[key] = value
            return
        if rewritten[key] is schema[key]:
            rewritten[key] = schema[key].copy()
        rewritten[key][inner[1]] = value

    def find_target(self, schema: dict[str, Any]) -> tuple[Any, Place | None]:
        """What a reference leads to, and its place in this version; (NOWHERE, None) where it leads out."""
        try:
            where, resolved = self._library.follow(self._document, schema, "$ref")
        except (Inconclusive, RecursionError):
            return NOWHERE, None
        if where is not self._document:
            return NOWHERE, None
        return resolved, self.place.get(id(resolved), None) if isinstance(resolved, dict) else None

    def _rewrite_reference(self, schema: dict[str, Any]) -> str:
        target, place = self.find_target(schema)
        if target is NOWHERE or not isinstance(schema["$ref"], str):
            return str(schema["$ref"])
        if place is not None:
            # Only where both versions say the same all the way down: else a shared name would hide a change behind
            # it.
            shared = place in self._same
            return f"#/$defs/{'old' if shared else self._name}{render_pointer(place)}"
        # It leads to where no keyword stands (`#/components/schemas/A`): the target gets a name of its own.
        name = f"{self._name}:{schema['$ref']}"
        if name not in self._pair.definitions:
            self._pair.definitions[name] = {}  # taken, before the target is met again within itself
            self._pair.definitions[name] = self._rewrite_schema(target, ("$ref", schema["$ref"]))
        return "#/$defs/" + encode_pointer_part(name)

    def _find_unchanged_targets(self) -> frozenset[Place]:
        """Places that references lead to, where both versions say the same, through all further references."""
        assert self._other is not None
        needs: dict[Place, set[Place | None]] = {}
        for referring in [o for _, o in walk_schemas(self.raw) if isinstance(o, dict) and "$ref" in o]:
            place = self.find_target(referring)[1]
            if place is not None and place not in needs and place:
                mine, theirs = _find_part(self.raw, place), _find_part(self._other.raw, place)
                if theirs is not NOWHERE and is_same_json(mine, theirs):
                    inner = [o for _, o in walk_schemas(mine) if isinstance(o, dict) and "$ref" in o]
                    needs[place] = {self.find_target(o)[1] for o in inner}
        # What it refers to must be the same too, and what that refers to: names drop out until no more do.
        while True:
            gone = {p for p, needed in needs.items() if not needed <= needs.keys()}
            if not gone:
                return frozenset(needs)
            for place in gone:
                del needs[place]


def _find_part(document: Any, place: Place) -> Any:
    part_found = document
    for part in place:
        try:
            part_found = part_found[part]
        except (KeyError, IndexError, TypeError):
            return NOWHERE
    return part_found


def _is_same_but_parts(a: Any, b: Any) -> bool:
    """Whether two schemas are equal, given that equal parts within them are one object already."""
    if not isinstance(a, dict) or not isinstance(b, dict) or a.keys() != b.keys():
        return False
    mine, theirs = dict(iter_subschemas(a)), dict(iter_subschemas(b))
    if mine.keys() != theirs.keys():
        return False
    if any(subschema is not theirs[place] for place, subschema in mine.items()):
        return False
    containers = {place[0] for place in mine}
    return all(key in containers or is_same_json(value, b[key]) for key, value in a.items())


# `allOf` in `allOf` in references: sixty-four layers are a schema that was generated wrong.
MAX_LAYERS = 64
# Keywords whose schemas are compared one by one; all others are compared as they stand.
_WALKED = frozenset({"properties", "patternProperties", "required", "allOf", "$ref", "$defs", "definitions"})
UNIONS = ("anyOf", "oneOf")
_ALL = TYPE_NAMES - {"integer"}
ANNOTATIONS = ("title", "description", "default", "deprecated", "examples", "readOnly", "writeOnly")
Part = tuple[Any, Place]


class SchemaView:
    """What a schema says of one value. `layers` are the schemas that speak of it together, with their places."""

    def __init__(self, schema: dict[str, Any], pair: VersionPair) -> None:
        self.schema, self._pair = schema, pair
        self.layers: list[tuple[dict[str, Any], Place]] = []
        self._collect_layers(schema, set())
        self.fields: dict[str, list[Part]] = {}
        self.patterns: dict[str, list[Part]] = {}
        self.required: dict[str, Place] = {}
        for layer, place in self.layers:
            for key, into in (("properties", self.fields), ("patternProperties", self.patterns)):
                subschemas = layer.get(key)
                for name, sub in subschemas.items() if isinstance(subschemas, dict) else ():
                    into.setdefault(name, []).append((sub, (*place, key, name)))
            names = layer.get("required")
            for name in names if isinstance(names, list) else ():
                if isinstance(name, str):
                    self.required.setdefault(name, (*place, "required"))

    def _collect_layers(self, schema: Any, above: set[int]) -> None:
        schema = self._pair.resolve(schema)
        # By identity along the way: a schema that includes itself says nothing more the second time.
        if not isinstance(schema, dict) or id(schema) in above or len(self.layers) >= MAX_LAYERS:
            return
        self.layers.append((schema, self._pair.find_place(schema)))
        above = {*above, id(schema)}
        if "$ref" in schema and len(schema) > 1:
            self._collect_layers({"$ref": schema["$ref"]}, above)
        more = schema.get("allOf")
        for subschema in more if isinstance(more, list) else ():
            self._collect_layers(subschema, above)

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.layers[0][1] if self.layers else ()

    @property
    def kinds(self) -> frozenset[str]:
        """The JSON types that it may take, as far as `type`, `enum` and `const` say."""
        remaining = _ALL
        for layer, _ in self.layers:
            types = layer.get("type")
            if isinstance(types, str | list):
                type_names = {types} if isinstance(types, str) else {g for g in types if isinstance(g, str)}
                # An integer is a number here, since the question is only whether any value can be of both.
                remaining = remaining & {"number" if g == "integer" else g for g in type_names}
        return remaining

    def find_values(self, key: str) -> list[Part]:
        """What the layers say under a keyword."""
        return [(layer[key], (*place, key)) for layer, place in self.layers if key in layer]

    def list_keywords(self) -> Iterator[str]:
        """Keywords that say something of values and are compared as they stand."""
        listed: set[str] = set()
        for layer, _ in self.layers:
            for key in layer:
                if key not in listed and key not in SILENT and key not in _WALKED:
                    listed.add(key)
                    yield key

    def merge_parts(self, parts: list[Part]) -> Any:
        """Several schemas of one part as one."""
        return parts[0][0] if len(parts) == 1 else {"allOf": [p for p, _ in parts]}

    # ---- the same schema, but for one aspect

    def replace_aspect(self, other: SchemaView, aspect: tuple[str, Any]) -> Any:
        """This schema, with one aspect as the other has it."""
        kind, what = aspect
        if kind == "field":
            return self._rebuild_layers("properties", lambda layer, first: _replace_field(layer, first, what, other))
        if kind == "required":
            is_required = what in other.required
            return self._rebuild_layers(
                "required", lambda layer, first: _replace_required(layer, first and is_required, what)
            )
        if kind == "pattern":
            return self._rebuild_layers(
                "patternProperties", lambda layer, first: _replace_pattern(layer, first, what, other)
            )
        if kind == "branch":
            key, branch = what
            is_there = any(option is branch for options, _ in other.find_values(key) for option in options)
            return self._rebuild_layers(
                key, lambda layer, first: _replace_branch(layer, first and is_there, key, branch)
            )
        keys = set(what)
        return self._rebuild_layers(next(iter(what)), lambda layer, first: _replace_keywords(layer, first, keys, other))

    def _rebuild_layers(self, key: str, change: Callable[[dict[str, Any], bool], dict[str, Any]]) -> Any:
        """The schema with every layer changed; the first that has the keyword (else the outermost) takes the new."""
        # The outermost layer takes the new where none has the keyword: it is the one that a person would edit.
        first = next((i for i, (layer, _) in enumerate(self.layers) if key in layer), 0)
        count = -1

        def rebuild(schema: Any, above: set[int]) -> Any:
            nonlocal count
            resolved = self._pair.resolve(schema)
            if not isinstance(resolved, dict) or id(resolved) in above or count + 1 >= len(self.layers):
                return schema
            count += 1
            changed = change(resolved, count == first)
            above = {*above, id(resolved)}
            more = list(resolved["allOf"]) if isinstance(resolved.get("allOf"), list) else []
            if "$ref" in resolved and len(resolved) > 1:
                target = rebuild({"$ref": resolved["$ref"]}, above)
                rebuilt = [rebuild(subschema, above) for subschema in more]
                # A reference beside other words cannot be changed in place; it becomes a part of `allOf`, which means
                # the same.
                return {**{k: v for k, v in changed.items() if k != "$ref"}, "allOf": [target, *rebuilt]}
            return {**changed, "allOf": [rebuild(subschema, above) for subschema in more]} if more else changed

        return rebuild(self.schema, set())


def _replace_field(layer: dict[str, Any], first: bool, name: str, other: SchemaView) -> dict[str, Any]:
    fields = layer.get("properties")
    fields = dict(fields) if isinstance(fields, dict) else {}
    has_properties = "properties" in layer
    fields.pop(name, None)
    changed = {**layer, "properties": fields} if has_properties else dict(layer)
    if first and name in other.fields:
        changed["properties"] = {**fields, name: other.merge_parts(other.fields[name])}
    return _replace_required(changed, first and name in other.required, name)


def _replace_required(layer: dict[str, Any], is_wanted: bool, name: str) -> dict[str, Any]:
    required = layer.get("required")
    names = [n for n in required if n != name] if isinstance(required, list) else []
    if is_wanted:
        names.append(name)
    rest = {k: v for k, v in layer.items() if k != "required"}
    return {**rest, "required": names} if names else rest


def _replace_pattern(layer: dict[str, Any], first: bool, pattern: str, other: SchemaView) -> dict[str, Any]:
    patterns = layer.get("patternProperties")
    kept_patterns = {k: v for k, v in patterns.items() if k != pattern} if isinstance(patterns, dict) else {}
    if first and pattern in other.patterns:
        kept_patterns[pattern] = other.merge_parts(other.patterns[pattern])
    return {**layer, "patternProperties": kept_patterns}


def _replace_branch(layer: dict[str, Any], is_wanted: bool, key: str, branch: Any) -> dict[str, Any]:
    if key not in layer:
        return layer
    branches = [option for option in layer[key] if option is not branch]
    if is_wanted:
        branches.append(branch)
    # A union without branches is not a schema. `False` takes nothing, which is what an empty union means.
    return {**layer, key: branches} if branches else {**layer, key: [False]}


def _replace_keywords(layer: dict[str, Any], first: bool, keys: set[str], other: SchemaView) -> dict[str, Any]:
    changed = {k: v for k, v in layer.items() if k not in keys}
    if not first:
        return changed
    for key in sorted(keys):
        values = other.find_values(key)
        if len(values) == 1 and key not in changed:
            changed[key] = values[0][0]
        elif values:
            changed["allOf"] = [*changed.get("allOf", []), *({key: value} for value, _ in values)]
    return changed
