"""How the two ends of a link read a contract (design §4).

A producer sends what it declares and nothing else: its objects are closed wherever they declare fields.
A consumer ignores what it does not declare: its objects are open. Both give plain JSON Schema 2020-12 again, so the
same decision procedure and the same independent validator serve links and plain schemas.

Only places where closing narrows and opening widens are touched: nothing under `not`, `if` or `contains`. So the
closed reading always lies within the contract, and the contract within the open reading: a link is reflexive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphbus_core.contracts.reading.walk import SCHEMA_LISTS, SCHEMA_MAPS, follow, in_place

Rewrite = Callable[[Any], Any]
_DECLARES = ("properties", "patternProperties")
# Schemas of a whole value (a field, an item), and those in place, of the same value as the schema around them. What is
# in neither is not read: closing would widen it. `oneOf`, `if` and references are not read like the others.
_WHOLE = frozenset({"properties", "patternProperties", "items", "prefixItems", "additionalProperties"})
_WHOLE |= {"unevaluatedItems", "unevaluatedProperties"}
_SAME = frozenset({"allOf", "anyOf", "then", "else", "dependentSchemas"})
_ELSEWHERE = _SAME | {"oneOf", "if", "$ref", "$dynamicRef"}
_READ = _WHOLE | _ELSEWHERE


def closed(schema: Any) -> Any:
    """The producer's reading: what is sent is what is declared."""
    return Reading(closing=True).document(schema)


def opened(schema: Any) -> Any:
    """The consumer's reading: what is not declared is ignored."""
    return Reading(closing=False).document(schema)


class Reading:
    """One walk over a document; `$defs` are copied under a name of their own, so that other uses keep their meaning.

    Parts of one document may be read one after another: a part that was read is not read again. `before` rewrites a
    schema and all within it, before it is read.
    """

    def __init__(self, *, closing: bool, document: Any = None, before: Rewrite = lambda schema: schema) -> None:
        self._here, self._closing = (_close_here if closing else _open_here), closing
        self._before = before
        self._document: Any = document
        self._made: dict[str, Any] = {}
        self._names: dict[str, str] = {}
        self._images: dict[tuple[int, bool], tuple[Any, Any]] = {}  # (id, whole value?) -> what was read, its reading
        self.origins: dict[int, int] = {}  # id of a reading -> id of what was read; both are kept above

    @property
    def definitions(self) -> dict[str, Any]:
        """What references lead to in this reading, by name; grows while parts are read."""
        return self._made

    def document(self, schema: Any) -> Any:
        self._document = schema
        made = self.at_root(schema)
        if self._made:
            made = {**made, "$defs": {**made.get("$defs", {}), **self._made}}
        return made

    def at_root(self, schema: Any) -> Any:
        """A schema that stands for a whole value."""
        if not isinstance(schema, dict):
            return schema
        known = self._images.get((id(schema), True))
        if known is None:
            read = self._before(schema)
            known = self._images[id(schema), True] = (schema, self._whole(read))
            self._came(known[1], read)
        return known[1]

    def _came(self, made: Any, read: Any) -> None:
        if made is not read:
            self.origins[id(made)] = id(read)

    def _whole(self, schema: dict[str, Any]) -> Any:
        foreign = schema.keys() == {"$ref"} and not str(schema["$ref"]).startswith("#")
        if foreign or schema.keys().isdisjoint(_READ):
            return schema  # what is not here stays one thing, however it is read
        inside = self._children(schema)
        beside = [k for k in _ELSEWHERE if k in schema]
        if not beside or not self._closing:
            return self._here(inside)
        if len(beside) == 1 and not any(k in schema for k in _DECLARES):
            passed = self._passed_on(beside[0], schema)
            if passed is not None:
                return {**inside, **passed}
        stated = "additionalProperties" in schema or "unevaluatedProperties" in schema
        if stated or not self._fields_below(schema, 0):
            return inside
        # Several schemas declare fields of this one value. `additionalProperties` in one would forbid those of the
        # others; `unevaluatedProperties` counts what all of them declare.
        return {**inside, "unevaluatedProperties": False}

    def _passed_on(self, key: str, schema: dict[str, Any]) -> dict[str, Any] | None:
        """Closed below one keyword, where that alone says what the fields are; None where it cannot be passed on."""
        if key == "$ref":
            return {"$ref": self._reference(schema["$ref"])}
        if not isinstance(schema[key], list):
            return None
        if key == "anyOf" or (key == "allOf" and len(schema["allOf"]) == 1):
            return {key: [self.at_root(s) for s in schema[key]]}
        if key == "oneOf":
            # Closed branches overlap less, so `oneOf` of them could take more: both must hold.
            branches = {"anyOf": [self.at_root(s) for s in schema["oneOf"]]}
            return {"oneOf": schema["oneOf"], "allOf": [branches]}
        return None

    def _in_place(self, schema: Any) -> Any:
        """A schema that speaks of the same value as the one around it: only its children are read anew."""
        if not isinstance(schema, dict):
            return schema
        known = self._images.get((id(schema), False))
        if known is None:
            read = self._before(schema)
            made = self._children(read)
            known = self._images[id(schema), False] = (schema, made if self._closing else self._here(made))
            self._came(known[1], read)
        return known[1]

    def _children(self, schema: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in schema.items():
            if key == "oneOf" and isinstance(value, list) and not self._closing:
                # Open branches overlap more, so "exactly one of them" could take less than was promised.
                branches = [self._in_place(v) for v in value]
                made["oneOf" if branches == value else "anyOf"] = branches
            elif key == "$ref" and not self._closing:
                made[key] = self._reference(value)
            else:
                made[key] = self._child(key, value)
        if "anyOf" in made and "anyOf" in schema and "oneOf" in schema and "oneOf" not in made:
            # Both now claim the word `anyOf`; a schema has room for one, `allOf` for both.
            both = [{"anyOf": [self._in_place(v) for v in schema[k]]} for k in ("anyOf", "oneOf")]
            made["allOf"] = [*made.get("allOf", []), *both]
            del made["anyOf"]
        return made

    def _child(self, key: str, value: Any) -> Any:
        """What a keyword holds, read anew; the value itself where it holds no schema, or is malformed."""
        if key not in _WHOLE and key not in _SAME:
            return value
        read = self.at_root if key in _WHOLE else self._in_place
        if key in SCHEMA_MAPS:
            return {k: read(v) for k, v in value.items()} if isinstance(value, dict) else value
        if key in SCHEMA_LISTS:
            return [read(v) for v in value] if isinstance(value, list) else value
        return read(value)

    def _reference(self, ref: Any) -> Any:
        if not isinstance(ref, str) or not ref.startswith("#"):
            return ref
        if ref in self._names:
            return self._names[ref]
        target = follow(self._document, ref)
        if not isinstance(target, dict):
            return ref
        name = f"{'closed' if self._closing else 'open'}:{ref[1:].rpartition('/')[2].replace('~', '-') or 'root'}"
        while name in self._made:
            name += "'"
        self._names[ref] = f"#/$defs/{name}"
        self._made[name] = True  # taken, before the walk meets itself again
        own = {k: v for k, v in target.items() if k != "$defs"} if "$defs" in target else target
        self._made[name] = self.at_root(own)
        return self._names[ref]

    def _fields_below(self, schema: Any, depth: int) -> bool:
        if not isinstance(schema, dict) or depth > 20:
            return isinstance(schema, dict)
        if any(k in schema for k in _DECLARES):
            return True
        below = [one for key, one in in_place(schema) if key in _READ and key != "if"]
        if isinstance(schema.get("$ref"), str):
            below.append(follow(self._document, schema["$ref"]))
        return any(self._fields_below(s, depth + 1) for s in below)


def _close_here(schema: dict[str, Any]) -> dict[str, Any]:
    if any(k in schema for k in _DECLARES) and not (
        "additionalProperties" in schema or "unevaluatedProperties" in schema
    ):
        return {**schema, "additionalProperties": False}
    return schema


def _open_here(schema: dict[str, Any]) -> dict[str, Any]:
    shut = [k for k in ("additionalProperties", "unevaluatedProperties") if schema.get(k) is False]
    return {k: v for k, v in schema.items() if k not in shut} if shut else schema
