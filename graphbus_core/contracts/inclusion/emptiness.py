"""What no value can fulfil. An empty set fits everything, so a check that it passes has said nothing.

Most schemas show at a glance that they can be fulfilled; of the others the solver is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphbus_core.contracts.inclusion.solver import decide
from graphbus_core.contracts.parsing.json_schema import (
    NEWEST,
    SILENT,
    decode_pointer_part,
    follow_pointer,
    is_number,
    iter_subschemas,
    render_pointer,
    walk_schemas,
)
from graphbus_core.contracts.verdict import Reason

_STEPS = 20_000  # of one question
_MAX_ASKED = 40  # schemas of one document that the solver is asked about
_MAX_NODES = 20_000
_OPEN = frozenset(("additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames"))
_UNSENT = frozenset(("not", "if", "then", "else", "$defs", "definitions", "dependentSchemas"))
_OBJECT = frozenset(("type", "properties", "required", "additionalProperties", "patternProperties", "$ref"))
_TEXT = frozenset(("type", "minLength", "maxLength", "format"))
_NUMBER = frozenset(("type", "minimum", "maximum", "format"))
_ARRAY = frozenset(("type", "items", "maxItems", "uniqueItems", "prefixItems"))
_NAMED = frozenset(("$ref", "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"))
_LISTS = ({"const"}, {"enum"}, {"type", "const"}, {"type", "enum"})  # values that are written out


def find_unsatisfiable(schema: Any) -> tuple[Reason, ...]:
    """The outermost parts of a document that no value fulfils: the whole (path empty), a field, an item, a branch."""
    return tuple(_EmptinessSearch(schema).run()) if isinstance(schema, dict) else ()


def is_surely_satisfiable(document: Any) -> bool:
    """Whether a glance shows that a document, and every part that it describes, can be fulfilled."""
    return isinstance(document, bool) or _EmptinessSearch(document).shows_all()


def is_unsatisfiable(schema: Any, root: Any) -> bool:
    """Whether no value fulfils a schema whose references lead into `root`. What was not decided is not claimed."""
    if schema is False:
        return True
    if not isinstance(schema, dict) or Glance(root).shows_value(schema, 0):
        return False
    return _ask_solver(schema, root) is True


def explain(schema: Any, root: Any) -> str:
    """Which words of an unsatisfiable schema exclude each other."""
    if not isinstance(schema, dict):
        return "it is `false`"
    words = [word for word in schema if word not in SILENT]
    # A word matters where the rest can be fulfilled without it.
    needed = [
        word
        for word in words
        if len(words) > 1 and not is_unsatisfiable({k: v for k, v in schema.items() if k != word}, root)
    ]
    named = needed or words
    return f"no value fulfils {' and '.join(f'`{word}`' for word in named[:4])}{' at once' if len(named) > 1 else ''}"


def _ask_solver(schema: dict[str, Any], root: Any) -> bool | None:
    whole = {**_select_definitions(schema, root), **schema} if isinstance(root, dict) else schema
    return decide(whole, NEWEST, False, NEWEST, steps=_STEPS).within


def _select_definitions(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """The definitions that a schema needs: of a large document few, and the solver looks at all that it is given."""
    every: dict[str, Any] = {key: root[key] for key in ("$defs", "definitions") if key in root}
    definitions = root.get("$defs")
    if every.keys() != {"$defs"} or not isinstance(definitions, dict):
        return every
    needed: dict[str, Any] = {}
    todo: list[Any] = [schema]
    while todo:
        for _, part in walk_schemas(todo.pop()):
            if not isinstance(part, dict) or _NAMED.isdisjoint(part):
                continue
            name = _find_name(part.get("$ref"))
            if name not in definitions:
                return every  # by another way than a pointer to a definition
            if name not in needed:
                needed[name] = definitions[name]
                todo.append(definitions[name])
    return {"$defs": needed}


def _find_name(reference: Any) -> str:
    """The definition that a reference leads to, or into; empty where it leads elsewhere."""
    _, found, path = reference.partition("#/$defs/") if isinstance(reference, str) else ("", "", "")
    return decode_pointer_part(path.partition("/")[0]) if found and reference.startswith("#") else ""


class _EmptinessSearch:
    """One walk over one document, outermost parts first."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._root, self._asked = root, 0
        self._glance = Glance(root)
        self._seen: set[int] = set()

    def shows_all(self) -> bool:
        todo: list[Any] = [self._root]
        while todo:
            schema = todo.pop()
            if schema is False:
                return False
            if isinstance(schema, dict) and id(schema) not in self._seen:
                self._seen.add(id(schema))
                if not self._glance.shows_value(schema, 0):
                    return False
                todo += [part for _, part in _list_parts(schema)]
                if isinstance(schema.get("$ref"), str) and schema["$ref"].startswith("#"):
                    todo.append(follow_pointer(self._root, schema["$ref"]))
        return True

    def run(self) -> Iterator[Reason]:
        todo: list[tuple[str, Any]] = [("", self._root)]
        while todo and len(self._seen) < _MAX_NODES:
            path, schema = todo.pop()
            if schema is False:
                # Only where a value was to be described: `additionalProperties: false` is none.
                yield Reason("unsatisfiable", path, f"{path or 'the payload'} can be nothing: it is `false`")
            if not isinstance(schema, dict) or id(schema) in self._seen:
                continue
            self._seen.add(id(schema))
            if not self._glance.shows_value(schema, 0) and self._asked < _MAX_ASKED:
                self._asked += 1
                if _ask_solver(schema, self._root):
                    why = explain(schema, self._root)
                    yield Reason("unsatisfiable", path, f"{path or 'the payload'} can be nothing: {why}")
                    continue
            todo += [(_join(path, place), part) for place, part in _list_parts(schema)]
            if isinstance(schema.get("$ref"), str) and schema["$ref"].startswith("#"):
                todo.append((path, follow_pointer(self._root, schema["$ref"])))


def _list_parts(schema: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Parts that describe a value which somebody means to send."""
    for place, part in iter_subschemas(schema):
        is_limit = place[0] in _OPEN and not isinstance(part, dict)
        is_meant = part is not False or place[0] in ("properties", "anyOf", "oneOf")
        if is_meant and not is_limit and place[0] not in _UNSENT:
            yield place, part


def _join(path: str, place: tuple[str | int, ...]) -> str:
    if place[0] == "properties":
        return f"{path}.{place[1]}" if path else str(place[1])
    if place[0] in ("items", "prefixItems"):
        return f"{path}[]"
    if place[0] in ("anyOf", "oneOf"):
        return f"{path}<{place[1]}>"
    return path if place[0] == "allOf" else f"{path}{render_pointer(place)}"


class Glance:
    """What shows without a search that a schema can be fulfilled. False: it does not show."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._known: dict[int, bool] = {}

    def shows_value(self, schema: Any, depth: int) -> bool:
        if not isinstance(schema, dict):
            return schema is not False
        if id(schema) not in self._known:
            self._known[id(schema)] = False  # until it is known: a value that holds itself is none
            self._known[id(schema)] = depth < 50 and self._look(schema, depth)
        return self._known[id(schema)]

    def _look(self, schema: dict[str, Any], depth: int) -> bool:
        words = schema.keys() - SILENT
        if not words:
            return True
        if words == {"$ref"}:
            ref = schema["$ref"]
            if not isinstance(ref, str) or not ref.startswith("#"):
                return True  # what is not here is unknown, and not empty
            return self.shows_value(follow_pointer(self._root, ref), depth + 1)
        if len(words) == 1 and (branches := schema.get("anyOf") or schema.get("allOf")):
            few = len(branches) == 1 or "anyOf" in words
            return isinstance(branches, list) and few and any(self.shows_value(b, depth + 1) for b in branches)
        if words in _LISTS:
            values = [schema["const"]] if "const" in schema else schema["enum"]
            return isinstance(values, list) and any(_is_of_type(value, schema.get("type")) for value in values)
        return self._look_at_type(schema, words, depth)

    def _look_at_type(self, schema: dict[str, Any], words: Any, depth: int) -> bool:
        types = schema.get("type")
        first = types[0] if isinstance(types, list) and types else types
        if isinstance(types, list) and "null" in types and "enum" not in words and words <= _OBJECT | _TEXT | _NUMBER:
            return "$ref" not in words
        if first == "object" or (types is None and words <= _OBJECT - {"$ref"}):
            return words <= _OBJECT - {"$ref"} and self._shows_object(schema, depth)
        if first == "string":
            return words <= _TEXT and _is_ordered(schema, "minLength", "maxLength")
        if first == "number":
            return words <= _NUMBER and _is_ordered(schema, "minimum", "maximum")
        if first == "integer":
            # Of two bounds that hold no whole number between them at least one is none itself.
            is_whole = all(isinstance(schema.get(word, 0), int) for word in ("minimum", "maximum"))
            return words <= _NUMBER and is_whole and _is_ordered(schema, "minimum", "maximum")
        return (first == "array" and words <= _ARRAY) or (first in ("boolean", "null") and words == {"type"})

    def _shows_object(self, schema: dict[str, Any], depth: int) -> bool:
        required, fields = schema.get("required") or (), schema.get("properties") or {}
        if not required:
            return True
        if not isinstance(required, list) or not isinstance(fields, dict) or "patternProperties" in schema:
            return False
        return all(name in fields and self.shows_value(fields[name], depth + 1) for name in required)


def _is_ordered(schema: dict[str, Any], least: str, most: str) -> bool:
    return least not in schema or most not in schema or bool(schema[least] <= schema[most])


def _is_of_type(value: Any, types: Any) -> bool:
    if types is None:
        return True
    names = types if isinstance(types, list) else [types]
    kinds = {str: "string", bool: "boolean", dict: "object", list: "array", type(None): "null"}
    if is_number(value):
        return "number" in names or ("integer" in names and value == int(value))
    return kinds.get(type(value)) in names
