"""Two versions of an API as they are compared: what changed alone, as one direction sends it, its unions as meant.

An API is one object of all that one direction sends (`loaders.openapi`). Most of two versions is equal and is dropped
here, so that a change in one operation of a thousand costs one operation. Branches of open objects that nothing tells
apart get a tag that nobody wrote: each is judged against its own, though a payload of it may pass another one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from graphbus_core.contracts.parsing.json_schema import (
    IN_PLACE,
    Place,
    decode_pointer_part,
    follow_pointer,
    is_same_json,
    map_subschemas,
    render_pointer,
    walk_schemas,
)
from graphbus_core.contracts.parsing.unions import (
    UNIONS,
    find_name,
    list_led_texts,
    read_tag_texts,
    read_unions,
    tell_branch,
)
from graphbus_core.contracts.validation.first_error import find_discriminator

PRIVATE = "\ue001"  # begins the name of a field that nobody wrote
_REFERENCE = re.compile(r'"\$ref": "#/\$defs/((?:[^"\\/]|\\.)+)')
_INTEGERS = {"int32": 32, "int64": 64}
_HIDDEN = {"input": "readOnly", "output": "writeOnly"}
_MAX_BRANCHES = 200  # of one union that are held against each other
_UNORDERED = ("type", "enum", "required", "allOf", "anyOf", "oneOf")
_MAX_LAYERS = 20
_MAX_COUNTED = 10  # branches of a union that came or went, held against each other


def read_versions(old: Any, new: Any, side: str | None) -> tuple[Any, Any]:
    """Both versions of what one side of an API sends, ready to be compared."""
    changed_old, changed_new = _keep_changed(old, new)
    changed_old, changed_new = _bound_integers(changed_old), _bound_integers(changed_new)
    changed_old, changed_new = _drop_default(changed_old), _drop_default(changed_new)
    unions = _find_unions(changed_old), _find_unions(changed_new)
    changed_old, changed_new = (
        _count_branches(changed_old, changed_new, unions[0]),
        _count_branches(changed_new, changed_old, unions[1]),
    )
    hidden = _HIDDEN.get(side or "")
    if hidden is not None:
        changed_old, changed_new = _hide_fields(changed_old, hidden), _hide_fields(changed_new, hidden)
    led = list_led_texts(changed_old), list_led_texts(changed_new)
    return _pair_branches(
        read_unions(changed_old, loosely=True, led_elsewhere=led[1]),
        read_unions(changed_new, loosely=True, led_elsewhere=led[0]),
    )


def select_parts(schema: Any, names: Iterable[str]) -> Any:
    """Some parts of an API as a document of their own, their unions as meant."""
    fields, every = schema["properties"], schema.get("$defs", {})
    parts = {name: fields[name] for name in names if isinstance(fields[name], dict)}
    definitions: dict[str, Any] = {}
    todo = _find_references(json.dumps(parts))
    while todo:
        name = todo.pop()
        if name in every and name not in definitions:
            definitions[name] = every[name]
            todo |= _find_references(json.dumps(every[name]))
    return read_unions({"type": "object", "properties": parts, "$defs": definitions}, loosely=True)


def strip_private(value: Any) -> Any:
    """A payload without the fields that nobody wrote."""
    if isinstance(value, list):
        return [strip_private(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: strip_private(item) for key, item in value.items() if not key.startswith(PRIVATE)}


# ---- what changed


def _keep_changed(old: Any, new: Any) -> tuple[Any, Any]:
    """Both versions without the parts that say the same, and without the definitions that then nobody needs."""
    new = _undo_reordering(old, new)
    before, after = _Texts(old), _Texts(new)
    changed = before.definitions.differ(after.definitions)
    changed |= before.find_users(changed) | after.find_users(changed)
    parts = before.parts.differ(after.parts)
    parts |= {name for texts in (before, after) for name, refs in texts.parts.references.items() if refs & changed}
    return before.select(old, parts), after.select(new, parts)


def _undo_reordering(old: Any, new: Any) -> Any:
    """The new version with those parts and definitions as they were that list the same in another order.

    They mean the same, and where something they refer to changed, that is still to be seen in one step.
    """
    for key in ("properties", "$defs"):
        before, after = old.get(key, {}), new.get(key, {})
        alike = {
            name: before[name]
            for name, schema in after.items()
            if name in before and before[name] != schema and _write_sorted(before[name]) == _write_sorted(schema)
        }
        new = {**new, key: {**after, **alike}} if alike else new
    return new


def _write_sorted(schema: Any) -> str:
    return json.dumps(_sort_lists(schema), sort_keys=True)


def _sort_lists(schema: Any) -> Any:
    """A schema with the lists sorted whose order says nothing."""
    if not isinstance(schema, dict):
        return schema
    mapped = map_subschemas(schema, _sort_lists)
    lists = {key: mapped[key] for key in _UNORDERED if isinstance(mapped.get(key), list)}
    return {**mapped, **{key: sorted(values, key=_write_key) for key, values in lists.items()}}


def _write_key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


class _Members:
    """Named schemas as texts, with the definitions that each refers to."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self.texts = {name: json.dumps(schema) for name, schema in schemas.items()}
        self.references = {name: _find_references(text) for name, text in self.texts.items()}

    def differ(self, other: _Members) -> set[str]:
        return {name for name in {*self.texts, *other.texts} if self.texts.get(name) != other.texts.get(name)}


def _find_references(text: str) -> set[str]:
    return {decode_pointer_part(json.loads(f'"{name}"')) for name in _REFERENCE.findall(text)}


class _Texts:
    """One version: its parts and its definitions."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.parts = _Members(schema.get("properties", {}))
        self.definitions = _Members(schema.get("$defs", {}))
        # A parent with a discriminator means its children, though they refer to it and not it to them.
        self._users: dict[str, set[str]] = {}
        for name, references in self.definitions.references.items():
            for target in references:
                self._users.setdefault(target, set()).add(name)
        for name, text in self.definitions.texts.items():
            if '"discriminator"' in text:
                mapped = {find_name(part) for part in re.findall(r'"([^"\\]+)"', text)}
                children = self._users.get(name, set()) | (mapped & self.definitions.texts.keys())
                self.definitions.references[name] |= children
                for child in children:
                    self._users.setdefault(child, set()).add(name)

    def find_users(self, names: Iterable[str]) -> set[str]:
        """The definitions that mean these, through any number of references."""
        return _reach(names, self._users)

    def select(self, schema: Mapping[str, Any], parts: set[str]) -> Any:
        kept = {name: part for name, part in schema.get("properties", {}).items() if name in parts}
        wanted = {reference for name in kept for reference in self.parts.references[name]}
        wanted |= _reach(wanted, self.definitions.references)
        definitions = {name: part for name, part in schema.get("$defs", {}).items() if name in wanted}
        return {**schema, "properties": kept, "$defs": definitions}


def _reach(names: Iterable[str], leads: Mapping[str, set[str]]) -> set[str]:
    reached, todo = set[str](), list(names)
    while todo:
        for name in leads.get(todo.pop(), ()):
            if name not in reached:
                reached.add(name)
                todo.append(name)
    return reached


# ---- formats that are bounds


def _bound_integers(document: Any) -> Any:
    """`int32` and `int64` as the bounds that they are (OpenAPI 3.1, 4.4: signed 32 and 64 bits)."""
    done: dict[int, tuple[Any, Any]] = {}

    def bound(schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        if id(schema) not in done:
            mapped = map_subschemas(schema, bound)
            size = _INTEGERS.get(schema.get("format", "")) if isinstance(schema.get("format"), str) else None
            if size is not None and "enum" not in schema and "const" not in schema:
                mapped = _add_bounds(mapped, size)
            done[id(schema)] = (schema, mapped)
        return done[id(schema)][1]

    return bound(document)


def _add_bounds(schema: dict[str, Any], size: int) -> dict[str, Any]:
    types = schema.get("type")
    names = types if isinstance(types, list) else [types]
    if "integer" not in names and "number" not in names:
        return schema
    bounds: dict[str, int] = {}
    if "minimum" not in schema and "exclusiveMinimum" not in schema:
        bounds["minimum"] = -(2 ** (size - 1))
    if "maximum" not in schema and "exclusiveMaximum" not in schema:
        bounds["maximum"] = 2 ** (size - 1) - 1
    return {**schema, **bounds}


# ---- what is said though it goes without saying


def _drop_default(document: Any) -> Any:
    """The document without `additionalProperties: true` beside fields: an object without the word means the same."""
    outspoken = [
        schema
        for _, schema in walk_schemas(document)
        if isinstance(schema, dict) and schema.get("additionalProperties") in (True, {}) and "properties" in schema
    ]
    return _replace_words(document, {id(schema): {"additionalProperties": None} for schema in outspoken})


# ---- what a direction does not send


def _hide_fields(document: Any, word: str) -> Any:
    """Fields, and items, that the specification keeps out of this direction: nothing is said of them, and no field of
    them is required."""
    done: dict[int, tuple[Any, Any]] = {}

    def is_hidden(field: Any, depth: int = 0) -> bool:
        # Of several that speak of one value it is enough that one says so (JSON Schema validation, 9.4).
        if not isinstance(field, dict) or depth > _MAX_LAYERS or word in field:
            return isinstance(field, dict) and field.get(word) is True
        members = [follow_pointer(document, field["$ref"])] if isinstance(field.get("$ref"), str) else []
        members += field["allOf"] if isinstance(field.get("allOf"), list) else []
        return any(is_hidden(member, depth + 1) for member in members)

    def hide(schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        if id(schema) not in done:
            done[id(schema)] = (schema, hide_here(schema))
        return done[id(schema)][1]

    def hide_here(schema: dict[str, Any]) -> dict[str, Any]:
        fields = schema.get("properties")
        names = {name for name, field in fields.items() if is_hidden(field)} if isinstance(fields, dict) else set()
        if names and isinstance(fields, dict):
            schema = {**schema, "properties": {k: True if k in names else field for k, field in fields.items()}}
            if isinstance(schema.get("required"), list):
                schema["required"] = [name for name in schema["required"] if name not in names]
        if is_hidden(schema.get("items")):
            schema = {**schema, "items": True}
        hidden: dict[str, Any] = map_subschemas(schema, hide)
        return hidden

    return hide(document)


# ---- unions that came or went


def _count_branches(document: Any, other: Any, unions: Mapping[Place, dict[str, Any]]) -> Any:
    """The document with each `oneOf`, where the other version has one shape alone, taking no value of two branches.

    Within a union that stays, `oneOf` names alternatives. Where it takes the place of one shape, what was sent before
    may be two of them at once, by what they declare alone, and whoever counts refuses it.
    """
    counted: dict[int, dict[str, Any]] = {}
    for place, schema in unions.items():
        if place[-1] == "oneOf":
            before = _resolve_local(follow_pointer(other, render_pointer(place[:-1])), other)
            twice = _list_overlaps(_Branches(schema["oneOf"], document), schema) if _is_plain_object(before) else []
            if twice:
                counted[id(schema)] = {"allOf": [*schema.get("allOf", ()), {"not": {"anyOf": twice}}]}
    return _replace_words(document, counted)


def _list_overlaps(branches: _Branches, schema: Mapping[str, Any]) -> list[Any]:
    """What is of two branches, each read closed; none where a tag tells them apart, or they are not plain objects."""
    shapes = [{**b, "additionalProperties": False} for b in branches.resolved if _is_plain_object(b)]
    is_told = "discriminator" in schema or branches.are_told
    if is_told or len(shapes) < len(branches.resolved) or len(shapes) > _MAX_COUNTED:
        return []
    return [{"allOf": list(pair)} for pair in combinations(shapes, 2)]


def _is_plain_object(schema: Any) -> bool:
    """An object that is its fields, with no union and no rule beside them."""
    has_fields = isinstance(schema, dict) and isinstance(schema.get("properties"), dict)
    return has_fields and IN_PLACE.isdisjoint(schema)


# ---- branches that nothing tells apart


def _pair_branches(old: Any, new: Any) -> tuple[Any, Any]:
    before, after = _find_unions(old), _find_unions(new)
    told_old: dict[int, dict[str, Any]] = {}
    told_new: dict[int, dict[str, Any]] = {}
    for number, place in enumerate(_list_inner_first([place for place in before if place in after], before, old)):
        key, was, now = str(place[-1]), before[place], after[place]
        branches = _Branches(was[key], old), _Branches(now[key], new)
        if max(len(side.objects) for side in branches) < 2 or all(side.are_told for side in branches):
            continue
        names = _name_branches(*branches)
        field = f"{PRIVATE}{number}"
        told_old.setdefault(id(was), {})[key] = branches[0].tell(field, names[0], told_old)
        told_new.setdefault(id(now), {})[key] = branches[1].tell(field, names[1], told_new)
    return _replace_words(old, told_old), _replace_words(new, told_new)


def _list_inner_first(places: list[Place], unions: Mapping[Place, dict[str, Any]], document: Any) -> list[Place]:
    """The places of unions, those that are a branch of another one before it: they are told within it."""
    by_schema: dict[int, list[Place]] = {}
    for place in places:
        by_schema.setdefault(id(unions[place]), []).append(place)
    listed: dict[Place, None] = {}
    under_way: set[Place] = set()

    def visit(place: Place, depth: int) -> None:
        if place in under_way or depth > _MAX_LAYERS:
            return
        under_way.add(place)
        for branch in unions[place][str(place[-1])]:
            for inner in by_schema.get(id(_resolve_local(branch, document)), ()):
                visit(inner, depth + 1)
        listed[place] = None

    for place in places:
        visit(place, 0)
    return [*listed, *(place for place in places if place not in listed)]


def _find_unions(document: Any) -> dict[Place, dict[str, Any]]:
    found: dict[Place, dict[str, Any]] = {}
    for place, schema in walk_schemas(document):
        for key in UNIONS:
            if isinstance(schema, dict) and isinstance(schema.get(key), list):
                found[(*place, key)] = schema
    return found


class _Branches:
    """The branches of one union, in its document."""

    def __init__(self, branches: list[Any], document: Any) -> None:
        self.branches, self._document = branches, document
        self.resolved = [self._resolve(branch) for branch in branches]
        told = [bool(read_tag_texts(branch)) for branch in branches]
        self.objects = [i for i, branch in enumerate(branches) if self._may_be_object(branch, 0)]
        self.are_told = (
            all(told[i] for i in self.objects)
            or len(self.objects) < 2
            or find_discriminator([self.resolved[i] for i in self.objects], document)[0] is not None
        )

    def find_label(self, index: int) -> str:
        """What people call a branch: the name that it refers to, else its number."""
        names = [find_name(b["$ref"]) if isinstance(b, dict) and "$ref" in b else "" for b in self.branches]
        name = names[index]
        return name if name and names.count(name) == 1 else str(index)

    def tell(self, field: str, names: Mapping[int, str], told: Mapping[int, Mapping[str, Any]]) -> list[Any]:
        """The branches, each object with a text of its own in `field`. `told` are the unions that were told before."""

        def resolve(schema: Any) -> Any:
            target = self._resolve(schema)
            return {**target, **told[id(target)]} if id(target) in told else target

        return [
            tell_branch(branch, field, [names[i]], resolve, required=False) if i in names else branch
            for i, branch in enumerate(self.branches)
        ]

    def _resolve(self, schema: Any) -> Any:
        return _resolve_local(schema, self._document)

    def _may_be_object(self, schema: Any, depth: int) -> bool:
        schema = self._resolve(schema)
        if not isinstance(schema, dict) or depth > _MAX_LAYERS:
            return schema is True
        types = schema.get("type")
        if types is not None:
            return "object" in (types if isinstance(types, list) else [types])
        if "enum" in schema or "const" in schema:
            return False
        if "$ref" in schema:
            return self._may_be_object({"$ref": schema["$ref"]}, depth + 1)
        for key, among in (("allOf", all), ("anyOf", any), ("oneOf", any)):
            if isinstance(schema.get(key), list):
                return among(self._may_be_object(member, depth + 1) for member in schema[key])
        return True


def _resolve_local(schema: Any, document: Any) -> Any:
    """What a bare reference within the document leads to, through further ones."""
    for _ in range(_MAX_LAYERS):
        if not isinstance(schema, dict) or schema.keys() != {"$ref"} or not str(schema["$ref"]).startswith("#"):
            break
        schema = follow_pointer(document, schema["$ref"])
    return schema


def _name_branches(old: _Branches, new: _Branches) -> tuple[dict[int, str], dict[int, str]]:
    """A text for each object branch: one that both have, where a branch of the one became a branch of the other."""
    left, right = list(old.objects), list(new.objects)
    names: tuple[dict[int, str], dict[int, str]] = {}, {}
    for rule in (_is_same, _has_same_name, _has_same_title, _is_alike):
        if len(left) * len(right) > _MAX_BRANCHES**2:
            break
        for i in list(left):
            j = next((j for j in right if rule(old, i, new, j)), None)
            if j is not None:
                names[0][i] = names[1][j] = old.find_label(i)
                left.remove(i)
                right.remove(j)
    return (
        {**names[0], **{i: f"{old.find_label(i)}, gone" for i in left}},
        {**names[1], **{j: f"{new.find_label(j)}, new" for j in right}},
    )


def _is_same(old: _Branches, i: int, new: _Branches, j: int) -> bool:
    return is_same_json(old.branches[i], new.branches[j])


def _has_same_name(old: _Branches, i: int, new: _Branches, j: int) -> bool:
    names = [b.get("$ref") if isinstance(b, dict) else None for b in (old.branches[i], new.branches[j])]
    return names[0] is not None and names[0] == names[1]


def _has_same_title(old: _Branches, i: int, new: _Branches, j: int) -> bool:
    titles = [s.get("title") if isinstance(s, dict) else None for s in (old.resolved[i], new.resolved[j])]
    return titles[0] is not None and titles[0] == titles[1]


def _is_alike(old: _Branches, i: int, new: _Branches, j: int) -> bool:
    """They share a third of their fields at least; those without any are alike."""
    mine, theirs = (_list_fields(schema) for schema in (old.resolved[i], new.resolved[j]))
    return 3 * len(mine & theirs) >= max(len(mine), len(theirs))


def _list_fields(schema: Any) -> set[str]:
    fields = schema.get("properties") if isinstance(schema, dict) else None
    return set(fields) if isinstance(fields, dict) else set()


def _replace_words(document: Any, told: Mapping[int, Mapping[str, Any]]) -> Any:
    """The document with other words in some schemas, given by id; None: without the word."""
    done: dict[int, tuple[Any, Any]] = {}
    under_way: set[int] = set()

    def replace(schema: Any) -> Any:
        # A branch that is told holds a copy of what it refers to, which may hold the union itself: once is enough.
        if not isinstance(schema, dict) or id(schema) in under_way:
            return schema
        if id(schema) not in done:
            under_way.add(id(schema))
            others = told.get(id(schema), {})
            words = {k: v for k, v in {**schema, **others}.items() if v is not None or k not in others}
            done[id(schema)] = (schema, map_subschemas(words, replace))
            under_way.discard(id(schema))
        return done[id(schema)][1]

    return replace(document) if told else document
