"""Where an OpenAPI document speaks of payloads: its operations, and its schemas with the direction of each.

Written from the text of the OpenAPI specification (2.0, 3.0, 3.1), and knows nothing of how documents are compared.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Pointer = tuple[str | int, ...]

VERBS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@dataclass
class Place:
    """A schema that operations reach: who sends it, and what stands around it."""

    pointer: Pointer
    directions: set[str] = field(default_factory=set)
    in_all_of: bool = False
    union: str = ""  # the keyword of the nearest union above, with nothing but references and allOf between
    under_one_of: bool = False  # some union of one above, however far
    siblings: set[str] = field(default_factory=set)  # types that the other branches of that union take
    beside: dict[str, frozenset[str]] = field(default_factory=dict)  # what other members of the allOf say of properties
    also: set[str] = field(default_factory=set)  # words that another schema says of this very field
    tags: set[str] = field(default_factory=set)  # discriminating properties
    in_parameter: bool = False
    outer: set[str] = field(default_factory=set)  # types that stand beside the union: a branch can be of no other


@dataclass(frozen=True)
class _Around:
    all_of: bool = False
    union: str = ""
    under_one_of: bool = False
    siblings: frozenset[str] = frozenset()
    beside: Mapping[str, frozenset[str]] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    parameter: bool = False
    outer: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()


@dataclass
class Places:
    """Everything that edits may touch."""

    document: Mapping[str, Any]
    operations: list[Pointer] = field(default_factory=list)
    sent_operations: list[Pointer] = field(default_factory=list)  # callbacks and webhooks: the API is the sender
    parameters: list[Pointer] = field(default_factory=list)
    bodies: list[Pointer] = field(default_factory=list)
    responses: list[tuple[Pointer, str]] = field(default_factory=list)
    schemas: dict[Pointer, Place] = field(default_factory=dict)

    @property
    def is_swagger(self) -> bool:
        return "swagger" in self.document

    def get(self, pointer: Pointer) -> Any:
        node: Any = self.document
        for step in pointer:
            node = node[step]
        return node

    def resolve(self, pointer: Pointer) -> Pointer | None:
        """The place where a chain of local references ends."""
        return self.resolve_with_null(pointer)[0]

    def resolve_with_null(self, pointer: Pointer) -> tuple[Pointer | None, bool]:
        """The place where a chain of local references ends, and whether `nullable` stands beside one of them.

        By the letter of OpenAPI 3.0 whatever stands beside a reference is ignored. Here it means what its authors
        mean: null in place of the whole.
        """
        is_null_taken = False
        for _ in range(20):
            node = self.get(pointer)
            if not isinstance(node, Mapping) or not isinstance(node.get("$ref"), str):
                return pointer, is_null_taken
            is_null_taken |= node.get("nullable") is True
            target = self.follow(node["$ref"])
            if target is None:
                return None, is_null_taken
            pointer = target
        return None, is_null_taken

    def follow(self, reference: str) -> Pointer | None:
        if not reference.startswith("#/"):
            return None
        steps: list[str | int] = []
        node: Any = self.document
        for part in reference[2:].split("/"):
            name = part.replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")
            step: str | int = int(name) if isinstance(node, list) and name.isdigit() else name
            try:
                node = node[step]
            except (KeyError, IndexError, TypeError):
                return None
            steps.append(step)
        return tuple(steps)


def find_places(document: Mapping[str, Any]) -> Places:
    """Walk all operations, their callbacks and webhooks."""
    places = Places(document)
    for name in document.get("paths") or {}:
        _walk_path(places, ("paths", name), flipped=False)
    for name in document.get("webhooks") or {}:
        _walk_path(places, ("webhooks", name), flipped=True)
    return places


def _walk_path(places: Places, pointer: Pointer, flipped: bool) -> None:
    item = places.get(pointer)
    if not isinstance(item, Mapping) or "$ref" in item:
        return
    for verb in VERBS:
        if not isinstance(item.get(verb), Mapping):
            continue
        (places.sent_operations if flipped else places.operations).append((*pointer, verb))
        for holder in (pointer, (*pointer, verb)):
            for index in range(len(places.get(holder).get("parameters") or ())):
                _walk_parameter(places, (*holder, "parameters", index), flipped)
        _walk_operation(places, (*pointer, verb), flipped)


def _walk_operation(places: Places, pointer: Pointer, flipped: bool) -> None:
    operation = places.get(pointer)
    if isinstance(operation.get("requestBody"), Mapping):
        body = places.resolve((*pointer, "requestBody"))
        if body is not None:
            if not flipped:
                places.bodies.append(body)
            _walk_content(places, body, "response" if flipped else "request")
    for status in operation.get("responses") or {}:
        response = places.resolve((*pointer, "responses", status))
        if response is None or not isinstance(places.get(response), Mapping):
            continue
        if not flipped:
            places.responses.append(((*pointer, "responses", status), str(status)))
        direction = "request" if flipped else "response"
        if "schema" in places.get(response):
            _walk_schema(places, (*response, "schema"), direction, _Around())
        _walk_content(places, response, direction)
    for callback, expressions in (operation.get("callbacks") or {}).items():
        for expression in expressions if isinstance(expressions, Mapping) and "$ref" not in expressions else ():
            _walk_path(places, (*pointer, "callbacks", callback, expression), not flipped)


def _walk_parameter(places: Places, pointer: Pointer, flipped: bool) -> None:
    at = places.resolve(pointer)
    if at is None:
        return
    parameter = places.get(at)
    if at not in places.parameters and not flipped:
        places.parameters.append(at)
    direction = "response" if flipped else "request"
    around = _Around(parameter=parameter.get("in") not in ("body", "formData"))
    if "schema" in parameter:
        _walk_schema(places, (*at, "schema"), direction, around)
    elif "type" in parameter:
        _walk_schema(places, at, direction, around)
    _walk_content(places, at, direction)


def _walk_content(places: Places, pointer: Pointer, direction: str) -> None:
    for media, about in (places.get(pointer).get("content") or {}).items():
        if isinstance(about, Mapping) and "schema" in about:
            _walk_schema(places, (*pointer, "content", media, "schema"), direction, _Around())


def _walk_schema(places: Places, pointer: Pointer, direction: str, around: _Around) -> None:
    at, is_null_taken = places.resolve_with_null(pointer)
    if at is None or not isinstance(places.get(at), Mapping):
        return
    if is_null_taken:
        around = replace(around, siblings=around.siblings | {"null"})
    schema = places.get(at)
    hidden = {"request": "readOnly", "response": "writeOnly"}[direction]
    if schema.get(hidden) is True:
        return
    place = places.schemas.setdefault(at, Place(at))
    known = direction in place.directions
    place.directions.add(direction)
    place.in_all_of |= around.all_of
    place.union = around.union or place.union
    place.under_one_of |= around.under_one_of
    place.in_parameter |= around.parameter
    known_beside = all(words <= place.beside.get(name, frozenset()) for name, words in around.beside.items())
    grown = not (around.siblings <= place.siblings and known_beside and around.tags <= place.tags)
    grown |= not around.beside.keys() <= place.beside.keys()
    place.siblings |= around.siblings
    place.beside = join(place.beside, around.beside)
    place.also |= around.also
    place.outer |= around.outer
    place.tags |= around.tags
    if known and not grown:
        return
    for child, around_it in _list_children(places, at, schema, around):
        _walk_schema(places, child, direction, around_it)


def _list_children(
    places: Places, at: Pointer, schema: Mapping[str, Any], around: _Around
) -> Iterator[tuple[Pointer, _Around]]:
    inside = _Around(parameter=around.parameter, under_one_of=around.under_one_of)
    for name in schema.get("properties") or {}:
        yield (*at, "properties", name), replace(inside, also=around.beside.get(name, frozenset()))
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), Mapping):
            yield (*at, word), inside
    members = schema.get("allOf") or ()
    tag = (schema.get("discriminator") or {}) if "discriminator" in schema else {}
    name = tag if isinstance(tag, str) else tag.get("propertyName")
    tags = around.tags | ({name} if name else set())
    declared = [list_fields(places, (*at, "allOf", index)) for index in range(len(members))]
    own = list_own_fields(places, at)
    for index in range(len(members)):
        beside = join(own, *(fields for other, fields in enumerate(declared) if other != index))
        yield (
            (*at, "allOf", index),
            _Around(
                True,
                around.union,
                around.under_one_of,
                around.siblings,
                join(around.beside, beside),
                frozenset(tags),
                around.parameter,
            ),
        )
    for word in ("oneOf", "anyOf"):
        branches = [(*at, word, index) for index in range(len(schema.get(word) or ()))]
        for branch in branches:
            siblings = set().union(*(list_types(places, other) for other in branches if other != branch))
            if schema.get("nullable") is True:  # meant for whatever the branches are, though 3.0.3 asks for a type
                siblings |= {"null"}
            yield (
                branch,
                _Around(
                    around.all_of,
                    word,
                    around.under_one_of or word == "oneOf",
                    frozenset(siblings),
                    join(around.beside, own, dict.fromkeys(schema.get("required") or (), frozenset())),
                    frozenset(tags),
                    around.parameter,
                    frozenset(list_types(places, at)) if "type" in schema else around.outer,
                ),
            )


def list_types(places: Places, pointer: Pointer, depth: int = 0) -> set[str]:
    """The JSON types that a schema names; "any" where it names none."""
    at, is_null_taken = places.resolve_with_null(pointer)
    if at is None or depth > 8 or not isinstance(places.get(at), Mapping):
        return {"any"}
    if is_null_taken:
        return {"null"} | list_types(places, at, depth + 1)
    schema = places.get(at)
    types = schema.get("type")
    if types is not None:
        names = {types} if isinstance(types, str) else set(types)
        return names | ({"null"} if schema.get("nullable") is True else set())
    if "properties" in schema or "additionalProperties" in schema:
        return {"object"}
    for word in ("oneOf", "anyOf", "allOf"):
        if schema.get(word):
            found = [list_types(places, (*at, word, index), depth + 1) for index in range(len(schema[word]))]
            if word != "allOf":
                return set().union(*found)
            named = [types for types in found if "any" not in types]
            return set.intersection(*named) if named else {"any"}
    return {"any"}


Fields = Mapping[str, frozenset[str]]


def join(*fields: Fields) -> dict[str, frozenset[str]]:
    joined: dict[str, frozenset[str]] = {}
    for each in fields:
        for name, words in each.items():
            joined[name] = joined.get(name, frozenset()) | words
    return joined


def list_own_fields(places: Places, at: Pointer) -> Fields:
    fields = places.get(at).get("properties") or {}
    found = {name: places.resolve((*at, "properties", name)) for name in fields}
    return {name: frozenset(places.get(to) if to else ()) for name, to in found.items()}


def list_fields(places: Places, pointer: Pointer, depth: int = 0) -> Fields:
    """The properties that a schema declares, through references and allOf, and the words that it says of each."""
    at = places.resolve(pointer)
    if at is None or depth > 8 or not isinstance(places.get(at), Mapping):
        return {}
    schema = places.get(at)
    members = [(*at, word, i) for word in ("allOf", "oneOf", "anyOf") for i in range(len(schema.get(word) or ()))]
    return join(list_own_fields(places, at), *(list_fields(places, member, depth + 1) for member in members))
