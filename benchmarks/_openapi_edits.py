"""Single edits of OpenAPI documents at random places: some break whoever uses the API, some harm nobody.

Written from the text of the OpenAPI specification, before the code that compares documents was read. An edit returns
an edited copy; what it does not touch is shared with the original.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks._openapi_places import Place, Places, Pointer, find_places, list_types

NEW = "zzNewThing"
OTHER_TYPES = {
    "string": ("integer", "boolean"),
    "integer": ("boolean", "array"),
    "number": ("boolean", "array"),
    "boolean": ("integer", "array"),
    "array": ("integer", "boolean"),
    "object": ("integer", "boolean"),
}


@dataclass(frozen=True)
class Edit:
    """One edit: its kind, where it stands, the edited document, and whether a payload can show what it breaks."""

    kind: str
    pointer: Pointer
    document: dict[str, Any]
    in_union: bool = False
    shows_payload: bool = False


Offer = tuple[Pointer, Callable[[Any], Any]]
Kind = Callable[[Places], Iterator[Offer]]


def draw_edits(document: Mapping[str, Any], kinds: Mapping[str, Kind], count: int, seed: int) -> Iterator[Edit]:
    """`count` edits: a kind at random among those that have a place here, then a place at random."""
    places = find_places(document)
    chance = random.Random(seed)
    offers = {name: found for name, kind in kinds.items() if (found := list(kind(places)))}
    for _ in range(count):
        name = chance.choice(sorted(offers))
        pointer, change = chance.choice(offers[name])
        place = places.schemas.get(pointer)
        edited = put(document, pointer, change)
        union = bool(place and (place.union or place.under_one_of)) or any(
            step in ("oneOf", "anyOf") for step in pointer
        )
        yield Edit(name, pointer, edited, union, name in SCHEMA_KINDS)


def put(node: Any, pointer: Pointer, change: Callable[[Any], Any]) -> Any:
    """A copy of `node` in which the value at `pointer` is changed. The path alone is copied."""
    if not pointer:
        return change(node)
    copy = list(node) if isinstance(node, list) else dict(node)
    copy[pointer[0]] = put(node[pointer[0]], pointer[1:], change)
    return copy


def merge(**words: Any) -> Callable[[Any], Any]:
    return lambda node: {**node, **words}


def without(*names: Any) -> Callable[[Any], Any]:
    return lambda node: {name: value for name, value in node.items() if name not in names}


# ---- places


def pick(places: Places, *directions: str, only: bool = False) -> Iterator[tuple[Place, Any]]:
    for place in places.schemas.values():
        if only and place.directions != set(directions):
            continue
        if place.directions & set(directions):
            yield place, places.get(place.pointer)


def type_of(schema: Mapping[str, Any]) -> str | None:
    types = schema.get("type")
    if isinstance(types, list):
        types = next((name for name in types if name != "null"), None)
    return types if types in OTHER_TYPES else None


def is_shadowed(place: Place, schema: Mapping[str, Any]) -> bool:
    """Another branch of the union takes the same scalars, so that the whole may still take what this one gives up."""
    own = type_of(schema)
    alike = {"integer": {"integer", "number"}}.get(own or "", {own})
    return bool(place.union) and own != "object" and bool(place.siblings & (alike | {"any"}))


def is_plain_object(schema: Mapping[str, Any]) -> bool:
    words = ("patternProperties", "unevaluatedProperties", "maxProperties", "propertyNames", "not", "if")
    return bool(schema.get("properties")) and not any(word in schema for word in words)


def is_closed(schema: Mapping[str, Any]) -> bool:
    return "additionalProperties" in schema and schema["additionalProperties"] is not True


def hides(places: Places, pointer: Pointer, word: str) -> bool:
    at = places.resolve(pointer)
    return at is None or places.get(at).get(word) is True


def refuses(places: Places, pointer: Pointer) -> bool:
    at = places.resolve(pointer)
    return at is None or not isinstance(places.get(at), Mapping)


_LIMITING = {"enum", "const", "allOf", "anyOf", "oneOf"}


# ---- edits of schemas that break


def retype(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request", "response"):
        own = type_of(schema)
        if own is None or place.in_all_of or is_shadowed(place, schema):
            continue
        if place.pointer[-1] in place.beside or {"oneOf", "anyOf", "allOf"} & set(schema):
            continue
        to = next((name for name in OTHER_TYPES[own] if name not in place.siblings), None)
        if (
            to is None
            or (place.outer and to not in place.outer)
            or (place.in_parameter and own not in ("string", "integer", "number", "boolean"))
        ):
            continue
        if "name" in schema and "in" in schema:  # a parameter of Swagger 2 carries its own type
            yield place.pointer, lambda node, to=to: {**_drop_type(node), "type": to}
        else:
            words = {"type": to, **({"items": {"type": "string"}} if to == "array" else {})}
            yield place.pointer, lambda _, words=words: words


def _drop_type(node: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("name", "in", "required", "description")
    return {word: node[word] for word in kept if word in node}


def add_required_property(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request"):
        if is_plain_object(schema):
            yield (
                place.pointer,
                lambda node: {
                    **node,
                    "properties": {**node["properties"], NEW: {"type": "string"}},
                    "required": [*(node.get("required") or ()), NEW],
                },
            )


def require_property(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request"):
        if not is_plain_object(schema) or place.in_all_of:
            continue
        for name in schema["properties"]:
            at = (*place.pointer, "properties", name)
            if name in (schema.get("required") or ()) or name in place.tags or hides(places, at, "readOnly"):
                continue
            if name == (schema.get("discriminator") or {}).get("propertyName"):  # it has to be sent already
                continue
            yield place.pointer, lambda node, name=name: {**node, "required": [*(node.get("required") or ()), name]}


def remove_enum_value(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request"):
        values = [value for value in schema.get("enum") or () if value is not None]
        if len(values) < 2 or is_shadowed(place, schema) or place.in_all_of:
            continue
        if type_of(schema) != "string" or any(not isinstance(value, str) for value in values):
            continue
        if len(set(values)) < len(values):
            continue
        for gone in values:
            kept = [value for value in schema["enum"] if value != gone]
            yield place.pointer, merge(enum=kept)


def tighten_bound(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request"):
        # What lists the values, or limits them beside the bound, decides with it.
        if place.in_all_of or is_shadowed(place, schema) or _LIMITING & set(schema):
            continue
        own = type_of(schema)
        if own == "string" and "maxLength" not in schema and "pattern" not in schema and schema.get("minLength", 0) < 2:
            yield place.pointer, merge(maxLength=1)
        elif own in ("integer", "number") and "maximum" not in schema and "exclusiveMaximum" not in schema:
            if "minimum" in schema or "exclusiveMinimum" not in schema:
                yield place.pointer, merge(maximum=(schema.get("minimum") or 0) + 1)
        elif own == "array" and "maxItems" not in schema and schema.get("minItems", 0) < 2:
            yield place.pointer, merge(maxItems=1)


def remove_branch(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request"):
        for word in ("oneOf", "anyOf"):
            branches = schema.get(word) or ()
            if len(branches) < 2 or place.in_all_of or "properties" in schema:
                continue
            for index, branch in enumerate(branches):
                at = places.resolve((*place.pointer, word, index))
                if at is None or not isinstance(places.get(at), Mapping):
                    continue
                others = [list_types(places, (*place.pointer, word, o)) for o in range(len(branches)) if o != index]
                own = list_types(places, at)
                if own != {"object"} and (own | {"any", *(["number"] if "integer" in own else [])}) & set().union(
                    *others
                ):
                    continue
                if branch in [other for o, other in enumerate(branches) if o != index]:
                    continue
                yield place.pointer, lambda node, word=word, index=index: _remove_branch(node, word, index)


def _remove_branch(node: Mapping[str, Any], word: str, index: int) -> dict[str, Any]:
    reference = node[word][index].get("$ref")
    edited = {**node, word: [branch for other, branch in enumerate(node[word]) if other != index]}
    tag = node.get("discriminator")
    if isinstance(tag, Mapping) and isinstance(tag.get("mapping"), Mapping):
        name = (reference or "").rsplit("/", 1)[-1]
        mapping = {value: to for value, to in tag["mapping"].items() if to not in (reference, name)}
        edited["discriminator"] = {**tag, "mapping": mapping}
    return edited


def refuses_null_around(place: Place) -> bool:
    """A type stands beside the union, so that a branch takes null in vain."""
    return bool(place.outer) and "null" not in place.outer


def refuse_null(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request"):
        if place.in_all_of or place.in_parameter or place.siblings & {"null", "any"} or refuses_null_around(place):
            continue
        if schema.get("nullable") is True and type_of(schema) and ("enum" not in schema or None in schema["enum"]):
            yield place.pointer, lambda node: _without_null(without("nullable")(node))
        kept = [name for name in schema["type"] if name != "null"] if isinstance(schema.get("type"), list) else []
        if kept and kept != schema["type"] and ("enum" not in schema or None in schema["enum"]):
            yield place.pointer, lambda node, kept=kept: _without_null({**node, "type": kept})


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    return {**node, "enum": [value for value in node["enum"] if value is not None]} if "enum" in node else node


def remove_answered_property(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "response"):
        if not is_plain_object(schema):
            continue
        for name in schema.get("required") or ():
            at = (*place.pointer, "properties", name)
            if name not in schema["properties"] or name in place.beside or name in place.tags:
                continue
            if hides(places, at, "writeOnly") or {"oneOf", "anyOf", "allOf"} & set(schema):
                continue
            yield (
                place.pointer,
                lambda node, name=name: {
                    **node,
                    "properties": without(name)(node["properties"]),
                    "required": [other for other in node["required"] if other != name],
                },
            )


def let_answer_leave_out(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "response"):
        if not is_plain_object(schema) or {"oneOf", "anyOf", "allOf"} & set(schema):
            continue
        for name in schema.get("required") or ():
            at = (*place.pointer, "properties", name)
            if name not in schema["properties"] or name in place.beside or name in place.tags:
                continue
            if hides(places, at, "writeOnly"):
                continue
            kept = [other for other in schema["required"] if other != name]
            yield place.pointer, merge(required=kept) if kept else without("required")


def add_enum_value(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "response"):
        if (
            (
                schema.get("enum")
                and type_of(schema) == "string"
                and not is_shadowed(place, schema)
                and not place.in_all_of
            )
            and not {"maxLength", "pattern", "allOf", "oneOf", "anyOf"} & set(schema)  # each decides with the list
            and not _LIMITING & place.also
        ):
            yield place.pointer, lambda node: {**node, "enum": [*node["enum"], NEW]}


# What "signed 32 bits" and "signed 64 bits" say anyway (OpenAPI 3.0, "Data Types").
_IN_FORMAT = {
    (f"int{n}", w): b for n in (32, 64) for w, b in (("minimum", -(2 ** (n - 1))), ("maximum", 2 ** (n - 1) - 1))
}


def loosen_bound(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "response"):
        # What lists the values, or limits them beside the bound, decides with it.
        if place.in_all_of or is_shadowed(place, schema) or _LIMITING & set(schema):
            continue
        own = type_of(schema)
        words = {"string": ("maxLength",), "array": ("maxItems",)}.get(own or "", ())
        if own in ("integer", "number"):
            words = ("maximum", "minimum")
        for word in words:
            if (
                word in schema
                and not (_LIMITING | {word}) & place.also
                and schema[word] != _IN_FORMAT.get((schema.get("format"), word))
                and "pattern" not in schema
                and not {"exclusiveMaximum", "exclusiveMinimum"} & set(schema)
            ):
                yield place.pointer, without(word)


def add_branch(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "response"):
        for word in ("oneOf", "anyOf"):
            if not schema.get(word) or place.in_all_of or place.also or {"properties", "discriminator"} & set(schema):
                continue
            if any(refuses(places, (*place.pointer, word, index)) for index in range(len(schema[word]))):
                continue
            taken = set().union(
                *(list_types(places, (*place.pointer, word, index)) for index in range(len(schema[word])))
            )
            to = next((name for name in ("boolean", "integer", "string") if name not in taken), None)
            if (
                to
                and "any" not in taken | place.siblings
                and to not in place.siblings
                and schema.get("type") in (None, to)
            ) and (to != "integer" or "number" not in taken | place.siblings):
                yield place.pointer, lambda node, word=word, to=to: {**node, word: [*node[word], {"type": to}]}


def answer_null(places: Places) -> Iterator[Offer]:
    modern = str(places.document.get("openapi", "")).startswith("3.1")
    for place, schema in pick(places, "response"):
        if place.in_all_of or place.in_parameter or place.siblings & {"null", "any"} or places.is_swagger:
            continue
        # Another schema speaks of the same field, or stands beside the union, and refuses null with its type.
        if place.also or refuses_null_around(place):
            continue
        if {"enum", "const", "oneOf", "anyOf", "allOf", "x-nullable"} & set(schema) or schema.get("nullable") is True:
            continue
        if modern and isinstance(schema.get("type"), str) and schema["type"] != "null":
            yield place.pointer, merge(type=[schema["type"], "null"])
        if not modern and isinstance(schema.get("type"), str):
            yield place.pointer, merge(nullable=True)


# ---- edits of operations that break


def remove_operation(places: Places) -> Iterator[Offer]:
    for *path, verb in places.operations:
        yield tuple(path), without(verb)


def remove_path(places: Places) -> Iterator[Offer]:
    for pointer in places.operations:
        if len(pointer) == 3 and pointer[0] == "paths":
            yield ("paths",), without(pointer[1])


def remove_success(places: Places) -> Iterator[Offer]:
    for pointer, status in places.responses:
        if status.startswith("2") and len(places.get(pointer[:-1])) > 1:
            yield pointer[:-1], without(pointer[-1])


def remove_answered_media(places: Places) -> Iterator[Offer]:
    for pointer, status in places.responses:
        at = places.resolve(pointer)
        for media in (places.get(at).get("content") or {}) if at and status.startswith("2") else ():
            yield (*at, "content"), without(media)


def remove_taken_media(places: Places) -> Iterator[Offer]:
    for pointer in places.bodies:
        content = places.get(pointer).get("content") or {}
        for media in content if len(content) > 1 else ():
            yield (*pointer, "content"), without(media)


def require_parameter(places: Places) -> Iterator[Offer]:
    for pointer in places.parameters:
        parameter = places.get(pointer)
        is_own = str(parameter.get("name", "")).lower() not in ("accept", "content-type", "authorization")
        if is_own and parameter.get("required") is not True and parameter.get("in") not in ("path", "cookie"):
            yield pointer, merge(required=True)


def add_required_parameter(places: Places) -> Iterator[Offer]:
    added: dict[str, Any] = {"name": NEW, "in": "query", "required": True}
    added |= {"type": "string"} if places.is_swagger else {"schema": {"type": "string"}}
    for pointer in places.operations:
        yield pointer, lambda node: {**node, "parameters": [*(node.get("parameters") or ()), added]}


def require_body(places: Places) -> Iterator[Offer]:
    for pointer in places.bodies:
        if places.get(pointer).get("required") is not True and places.get(pointer).get("content"):
            yield pointer, merge(required=True)


def require_scheme(places: Places) -> Iterator[Offer]:
    schemes = (places.document.get("components") or {}).get("securitySchemes") or {}
    schemes = places.document.get("securityDefinitions") or {} if places.is_swagger else schemes
    for pointer in places.operations:
        needed = places.get(pointer).get("security", places.document.get("security")) or [{}]
        for name in schemes:
            if all(name not in alternative for alternative in needed):
                stricter = [{**alternative, name: []} for alternative in needed]
                yield pointer, merge(security=stricter)


SCHEMA_KINDS: dict[str, Kind] = {
    "retype": retype,
    "add_required_property": add_required_property,
    "require_property": require_property,
    "remove_enum_value": remove_enum_value,
    "tighten_bound": tighten_bound,
    "remove_branch": remove_branch,
    "refuse_null": refuse_null,
    "remove_answered_property": remove_answered_property,
    "let_answer_leave_out": let_answer_leave_out,
    "add_enum_value": add_enum_value,
    "loosen_bound": loosen_bound,
    "add_branch": add_branch,
    "answer_null": answer_null,
}
BREAKING: dict[str, Kind] = {
    **SCHEMA_KINDS,
    "remove_operation": remove_operation,
    "remove_path": remove_path,
    "remove_success": remove_success,
    "remove_answered_media": remove_answered_media,
    "remove_taken_media": remove_taken_media,
    "require_parameter": require_parameter,
    "add_required_parameter": add_required_parameter,
    "require_body": require_body,
    "require_scheme": require_scheme,
}
