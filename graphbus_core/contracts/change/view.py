"""One value's schema seen through `$ref` and `allOf`: its fields, items, branches, and what else it says.

`View.like` makes a schema that differs from this one in a single aspect, which is taken from another view. So one
change can be judged by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from graphbus_core.contracts.change.pair import Pair
from graphbus_core.contracts.reading.dialects import TYPE_NAMES
from graphbus_core.contracts.reading.walk import SILENT, Place

# `allOf` in `allOf` in references: sixty-four layers are a schema that was generated wrong.
MAX_LAYERS = 64
# Keywords whose schemas are compared one by one; all others are compared as they stand.
_WALKED = frozenset({"properties", "patternProperties", "required", "allOf", "$ref", "$defs", "definitions"})
UNIONS = ("anyOf", "oneOf")
_ALL = TYPE_NAMES - {"integer"}
ANNOTATIONS = ("title", "description", "default", "deprecated", "examples", "readOnly", "writeOnly")
Part = tuple[Any, Place]


class View:
    """What a schema says of one value. `layers` are the schemas that speak of it together, with their places."""

    def __init__(self, schema: dict[str, Any], pair: Pair) -> None:
        self.schema, self._pair = schema, pair
        self.layers: list[tuple[dict[str, Any], Place]] = []
        self._spread(schema, set())
        self.fields: dict[str, list[Part]] = {}
        self.patterns: dict[str, list[Part]] = {}
        self.required: dict[str, Place] = {}
        for layer, place in self.layers:
            for key, into in (("properties", self.fields), ("patternProperties", self.patterns)):
                found = layer.get(key)
                for name, sub in found.items() if isinstance(found, dict) else ():
                    into.setdefault(name, []).append((sub, (*place, key, name)))
            names = layer.get("required")
            for name in names if isinstance(names, list) else ():
                if isinstance(name, str):
                    self.required.setdefault(name, (*place, "required"))

    def _spread(self, schema: Any, above: set[int]) -> None:
        schema = self._pair.resolve(schema)
        # By identity along the way: a schema that includes itself says nothing more the second time.
        if not isinstance(schema, dict) or id(schema) in above or len(self.layers) >= MAX_LAYERS:
            return
        self.layers.append((schema, self._pair.place_of(schema)))
        above = {*above, id(schema)}
        if "$ref" in schema and len(schema) > 1:
            self._spread({"$ref": schema["$ref"]}, above)
        more = schema.get("allOf")
        for one in more if isinstance(more, list) else ():
            self._spread(one, above)

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.layers[0][1] if self.layers else ()

    @property
    def kinds(self) -> frozenset[str]:
        """The JSON types that it may take, as far as `type`, `enum` and `const` say."""
        found = _ALL
        for layer, _ in self.layers:
            given = layer.get("type")
            if isinstance(given, str | list):
                named = {given} if isinstance(given, str) else {g for g in given if isinstance(g, str)}
                # An integer is a number here, since the question is only whether any value can be of both.
                found = found & {"number" if g == "integer" else g for g in named}
        return found

    def own(self, key: str) -> list[Part]:
        """What the layers say under a keyword."""
        return [(layer[key], (*place, key)) for layer, place in self.layers if key in layer]

    def said(self) -> Iterator[str]:
        """Keywords that say something of values and are compared as they stand."""
        seen: set[str] = set()
        for layer, _ in self.layers:
            for key in layer:
                if key not in seen and key not in SILENT and key not in _WALKED:
                    seen.add(key)
                    yield key

    def one(self, parts: list[Part]) -> Any:
        """Several schemas of one part as one."""
        return parts[0][0] if len(parts) == 1 else {"allOf": [p for p, _ in parts]}

    # ---- the same schema, but for one aspect

    def like(self, other: View, aspect: tuple[str, Any]) -> Any:
        """This schema, with one aspect as the other has it."""
        kind, what = aspect
        if kind == "field":
            return self._rebuilt("properties", lambda layer, first: _with_field(layer, first, what, other))
        if kind == "required":
            wanted = what in other.required
            return self._rebuilt("required", lambda layer, first: _with_name(layer, first and wanted, what))
        if kind == "pattern":
            return self._rebuilt("patternProperties", lambda layer, first: _with_pattern(layer, first, what, other))
        if kind == "branch":
            key, branch = what
            there = any(one is branch for found, _ in other.own(key) for one in found)
            return self._rebuilt(key, lambda layer, first: _with_branch(layer, first and there, key, branch))
        keys = set(what)
        return self._rebuilt(next(iter(what)), lambda layer, first: _with_keys(layer, first, keys, other))

    def _rebuilt(self, key: str, change: Callable[[dict[str, Any], bool], dict[str, Any]]) -> Any:
        """The schema with every layer changed; the first that has the keyword (else the outermost) takes the new."""
        # The outermost layer takes the new where none has the keyword: it is the one that a person would edit.
        first = next((i for i, (layer, _) in enumerate(self.layers) if key in layer), 0)
        count = -1

        def rebuild(schema: Any, above: set[int]) -> Any:
            nonlocal count
            at = self._pair.resolve(schema)
            if not isinstance(at, dict) or id(at) in above or count + 1 >= len(self.layers):
                return schema
            count += 1
            made = change(at, count == first)
            above = {*above, id(at)}
            more = list(at["allOf"]) if isinstance(at.get("allOf"), list) else []
            if "$ref" in at and len(at) > 1:
                target = rebuild({"$ref": at["$ref"]}, above)
                kept = [rebuild(one, above) for one in more]
                # A reference beside other words cannot be changed in place; it becomes a part of `allOf`, which means
                # the same.
                return {**{k: v for k, v in made.items() if k != "$ref"}, "allOf": [target, *kept]}
            return {**made, "allOf": [rebuild(one, above) for one in more]} if more else made

        return rebuild(self.schema, set())


def _with_field(layer: dict[str, Any], first: bool, name: str, other: View) -> dict[str, Any]:
    fields = layer.get("properties")
    fields = dict(fields) if isinstance(fields, dict) else {}
    there = "properties" in layer
    fields.pop(name, None)
    made = {**layer, "properties": fields} if there else dict(layer)
    if first and name in other.fields:
        made["properties"] = {**fields, name: other.one(other.fields[name])}
    return _with_name(made, first and name in other.required, name)


def _with_name(layer: dict[str, Any], wanted: bool, name: str) -> dict[str, Any]:
    given = layer.get("required")
    names = [n for n in given if n != name] if isinstance(given, list) else []
    if wanted:
        names.append(name)
    made = {k: v for k, v in layer.items() if k != "required"}
    return {**made, "required": names} if names else made


def _with_pattern(layer: dict[str, Any], first: bool, pattern: str, other: View) -> dict[str, Any]:
    given = layer.get("patternProperties")
    kept = {k: v for k, v in given.items() if k != pattern} if isinstance(given, dict) else {}
    if first and pattern in other.patterns:
        kept[pattern] = other.one(other.patterns[pattern])
    return {**layer, "patternProperties": kept}


def _with_branch(layer: dict[str, Any], wanted: bool, key: str, branch: Any) -> dict[str, Any]:
    if key not in layer:
        return layer
    kept = [one for one in layer[key] if one is not branch]
    if wanted:
        kept.append(branch)
    # A union without branches is not a schema. `False` takes nothing, which is what an empty union means.
    return {**layer, key: kept} if kept else {**layer, key: [False]}


def _with_keys(layer: dict[str, Any], first: bool, keys: set[str], other: View) -> dict[str, Any]:
    made = {k: v for k, v in layer.items() if k not in keys}
    if not first:
        return made
    for key in sorted(keys):
        found = other.own(key)
        if len(found) == 1 and key not in made:
            made[key] = found[0][0]
        elif found:
            made["allOf"] = [*made.get("allOf", []), *({key: value} for value, _ in found)]
    return made
