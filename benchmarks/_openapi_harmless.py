"""Single edits of OpenAPI documents that harm nobody, at random places.

Written from the text of the OpenAPI specification, before the code that compares documents was read.
"""

from collections.abc import Iterator
from typing import Any

from benchmarks._openapi_edits import NEW, Kind, Offer, is_closed, is_plain_object, merge, pick, put, type_of
from benchmarks._openapi_places import Places


def reword(places: Places) -> Iterator[Offer]:
    for place, _ in pick(places, "request", "response"):
        yield place.pointer, merge(description="Told in other words.", title="Other words")
    for pointer in places.operations:
        yield pointer, merge(summary="Told in other words.", description="At length.")


def give_example(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request", "response"):
        if type_of(schema) == "string":
            yield place.pointer, merge(example="an example")


def extend(places: Places) -> Iterator[Offer]:
    for place, _ in pick(places, "request", "response"):
        yield place.pointer, lambda node: {**node, "x-other-tool": {"const": 1, "required": ["nothing"]}}
    for pointer in places.operations:
        yield pointer, lambda node: {**node, "x-other-tool": {"schema": {"type": "zz"}}}


def deprecate(places: Places) -> Iterator[Offer]:
    for pointer in places.operations:
        yield pointer, merge(deprecated=True)


def add_path(places: Places) -> Iterator[Offer]:
    answer = {"description": "new"} | ({} if places.is_swagger else {"content": {"text/plain": {}}})
    yield ("paths",), lambda node: {**node, f"/{NEW}": {"get": {"responses": {"200": answer}}}}


def add_optional_parameter(places: Places) -> Iterator[Offer]:
    added: dict[str, Any] = {"name": NEW, "in": "query"}
    added |= {"type": "string"} if places.is_swagger else {"schema": {"type": "string"}}
    for pointer in places.operations:
        yield pointer, lambda node: {**node, "parameters": [*(node.get("parameters") or ()), added]}


def add_optional_property(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request", "response"):
        if is_plain_object(schema) and not is_closed(schema) and not place.in_all_of and not place.in_parameter:
            yield (
                place.pointer,
                lambda node: {**node, "properties": {**node["properties"], NEW: {"type": "string"}}},
            )


def let_request_leave_out(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request", only=True):
        if not is_plain_object(schema) or place.under_one_of or place.union:
            continue
        for name in schema.get("required") or ():
            kept = [other for other in schema["required"] if other != name]
            if name not in place.tags:
                yield place.pointer, merge(required=kept) if kept else lambda node: _drop(node, "required")


def _drop(node: dict[str, Any], name: str) -> dict[str, Any]:
    return {word: value for word, value in node.items() if word != name}


def promise_property(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "response", only=True):
        if is_plain_object(schema) and not place.under_one_of and not place.union and not place.in_all_of:
            for name in schema["properties"]:
                about = schema["properties"][name]
                if name not in (schema.get("required") or ()) and isinstance(about, dict) and "type" in about:
                    yield (
                        place.pointer,
                        lambda node, name=name: {**node, "required": [*(node.get("required") or ()), name]},
                    )


def take_enum_value(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request", only=True):
        if schema.get("enum") and type_of(schema) == "string" and not place.under_one_of and not place.in_all_of:
            yield place.pointer, lambda node: {**node, "enum": [*node["enum"], NEW]}


def answer_fewer_values(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "response", only=True):
        if (
            len(schema.get("enum") or ()) > 1
            and type_of(schema) == "string"
            and not place.under_one_of
            and not place.union
        ) and not place.in_all_of:
            yield place.pointer, lambda node: {**node, "enum": node["enum"][:-1]}


def take_longer(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request", only=True):
        if place.under_one_of or place.in_all_of:
            continue
        for word in ("maxLength", "maxItems"):
            if word in schema:
                yield place.pointer, lambda node, word=word: {**node, word: node[word] + 5}


def answer_shorter(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "response", only=True):
        if place.under_one_of or place.in_all_of:
            continue
        if type_of(schema) == "string" and not {"maxLength", "enum", "const", "pattern", "format"} & set(schema):
            yield place.pointer, merge(maxLength=max(100, schema.get("minLength", 0)))


def reorder(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request", "response"):
        for word in ("properties", "required", "enum", "oneOf", "anyOf", "allOf"):
            if isinstance(schema.get(word), (list, dict)) and len(schema[word]) > 1:
                yield place.pointer, lambda node, word=word: {**node, word: _reverse(node[word])}


def _reverse(value: Any) -> Any:
    return dict(reversed(value.items())) if isinstance(value, dict) else list(reversed(value))


def add_unused_component(places: Places) -> Iterator[Offer]:
    at = ("definitions",) if places.is_swagger else ("components", "schemas")
    if at[0] in places.document and (len(at) == 1 or at[1] in places.document[at[0]]):
        yield (
            at,
            lambda node: {
                **node,
                NEW: {"type": "object", "required": ["zz"], "properties": {"zz": {"type": "integer"}}},
            },
        )


def name_inline_schema(places: Places) -> Iterator[Offer]:
    """An inline schema moves to the components, and a reference stays."""
    at = ("definitions",) if places.is_swagger else ("components", "schemas")
    if at[0] not in places.document or (len(at) == 2 and at[1] not in places.document[at[0]]):
        return
    reference = {"$ref": "#/" + "/".join([*at, NEW])}
    for place, schema in pick(places, "request", "response"):
        inline = place.pointer[0] == "paths" and place.pointer[-2:-1] in (("properties",), ()) and "in" not in schema
        if inline and "type" in schema and "readOnly" not in schema and "writeOnly" not in schema:
            steps = place.pointer

            def move(document: Any, steps: Any = steps, schema: Any = schema) -> Any:
                referring = put(document, steps, lambda _: reference)
                return put(referring, at, lambda node: {**node, NEW: schema})

            yield (), move


def wrap_reference(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request", "response"):
        for name, about in (schema.get("properties") or {}).items():
            if isinstance(about, dict) and set(about) == {"$ref"}:
                at = (*place.pointer, "properties", name)
                yield at, lambda node: {"allOf": [node], "description": "in other words"}


def take_another_media_type(places: Places) -> Iterator[Offer]:
    for pointer in places.bodies:
        if places.get(pointer).get("content"):
            yield (*pointer, "content"), lambda node: {**node, "application/x-zz": {"schema": {"type": "string"}}}


def take_null(places: Places) -> Iterator[Offer]:
    modern = str(places.document.get("openapi", "")).startswith("3.1")
    for place, schema in pick(places, "request", only=True):
        if place.in_all_of or place.under_one_of or places.is_swagger or place.in_parameter:
            continue
        if {"enum", "const", "oneOf", "anyOf", "allOf"} & set(schema) or not isinstance(schema.get("type"), str):
            continue
        if schema["type"] == "null":  # takes it already, and no list may name a type twice
            continue
        yield place.pointer, merge(type=[schema["type"], "null"]) if modern else merge(nullable=True)


def take_numbers(places: Places) -> Iterator[Offer]:
    for place, schema in pick(places, "request", only=True):
        if place.union or place.under_one_of or place.in_all_of:
            continue
        if schema.get("type") == "integer" and "enum" not in schema and "format" not in schema:
            yield place.pointer, merge(type="number")


def relax_parameter(places: Places) -> Iterator[Offer]:
    for pointer in places.parameters:
        parameter = places.get(pointer)
        if parameter.get("required") is True and parameter.get("in") in ("query", "header"):
            yield pointer, merge(required=False)


HARMLESS: dict[str, Kind] = {
    "reword": reword,
    "give_example": give_example,
    "extend": extend,
    "deprecate": deprecate,
    "add_path": add_path,
    "add_optional_parameter": add_optional_parameter,
    "add_optional_property": add_optional_property,
    "let_request_leave_out": let_request_leave_out,
    "promise_property": promise_property,
    "take_enum_value": take_enum_value,
    "answer_fewer_values": answer_fewer_values,
    "take_longer": take_longer,
    "answer_shorter": answer_shorter,
    "reorder": reorder,
    "add_unused_component": add_unused_component,
    "name_inline_schema": name_inline_schema,
    "wrap_reference": wrap_reference,
    "take_another_media_type": take_another_media_type,
    "take_null": take_null,
    "take_numbers": take_numbers,
    "relax_parameter": relax_parameter,
}
