"""OpenAPI 3.0, 3.1 and 3.2: the schemas of operations, by what is sent and what is taken.

All of one direction stand in one object, a field for each part of an operation (`POST /pets body application/json`),
and share the components as `$defs`. So a component that half of the operations use is compared once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from graphbus_core.contracts.loaders.schema_check import check_references, check_schema
from graphbus_core.contracts.loaders.swagger import convert_swagger
from graphbus_core.contracts.loaders.wire import EMPTY, read_form, read_security
from graphbus_core.contracts.parsing import json_schema
from graphbus_core.contracts.parsing.json_schema import (
    IN_PLACE,
    NOWHERE,
    SILENT,
    Place,
    encode_pointer_part,
    follow_pointer,
    map_subschemas,
    render_pointer,
)
from graphbus_core.contracts.parsing.type_forms import render_short
from graphbus_core.contracts.parsing.unions import UNIONS
from graphbus_core.errors import ContractError

# The schemas of an OpenAPI or AsyncAPI document as JSON Schema: components as `$defs`, references led to them.


COMPONENTS = "/components/schemas"
# A response of an error is nobody's to rely on: that it went away breaks no client.
_ERROR = re.compile(r" [45](\d\d|XX) ")
_ABOUT_FIELD = ("title", "description", "deprecated", "readOnly", "writeOnly")  # said of it, null or not
MAX_STEPS = 20  # references that lead to references


@dataclass(frozen=True)
class ApiPart:
    """One part of an operation: its side, the schema, where it stands, and whether its loss breaks anybody.

    `whole` stands for the operation itself, which both sides of an API have.
    """

    side: str
    schema: Any
    pointer: str
    needed: bool = True
    whole: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)  # what no schema says (`wire`)


ApiParts = tuple[dict[str, ApiPart], dict[str, Any]]  # the parts by name, and the definitions that they share


def restore_parts(schema: Any, side: str) -> dict[str, ApiPart]:
    """The parts of an API that was published as one object; each stands where its field does."""
    fields = schema.get("properties", {}) if isinstance(schema, dict) else {}
    return {
        name: ApiPart(side, field, "", _ERROR.search(name) is None, field is True) for name, field in fields.items()
    }


def follow_reference(document: dict[str, Any], node: Any, name: str = "") -> Any:
    """What a reference stands for. Raises ContractError for one that leads nowhere: silence would pass everything."""
    first = node
    for _ in range(MAX_STEPS):
        if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
            return node
        ref = node["$ref"]
        # Only within the document; what lies elsewhere was brought in before, or is not here.
        target_node = follow_pointer(document, ref) if ref.startswith("#/") else NOWHERE
        if target_node is NOWHERE:
            advice = "It leads to nothing in this document" if ref.startswith("#") else "Use --map to say where it lies"
            raise ContractError(f"{name} refers to {ref}, which is not there. {advice}.")
        node = target_node
    raise ContractError(f"{name} has references that lead in a circle, from {first['$ref']}.")


def list_members(document: dict[str, Any], holder: Any, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The named objects of a holder, references followed; extensions are none of them."""
    for key, value in holder.items() if isinstance(holder, dict) else ():
        member = follow_reference(document, value, name) if not str(key).startswith("x-") else None
        if isinstance(member, dict):
            yield str(key), member


class SchemaChecker:
    """Refuses what is not a schema, each schema once, however many operations share it. `old`: OpenAPI 3.0."""

    def __init__(self, document: dict[str, Any], name: str, *, old: bool) -> None:
        self._document, self._name, self.old = document, name, old
        self._seen: dict[int, Any] = {}  # the schemas too, so that their ids stay their own

    def check(self, schema: Any, pointer: str) -> Any:
        """The schema. Raises ContractError with the pointer in the document."""
        # Each once. A component that a thousand operations use would be judged a thousand times.
        if self._seen.setdefault(id(schema), schema) is schema and not isinstance(schema, bool):
            check_schema(schema, self._name, json_schema.NEWEST, pointer=pointer, inner=True)
            check_references(schema, self._document, self._name, pointer)
        return schema


def attach_definitions(parts_by_name: dict[str, ApiPart], document: dict[str, Any], judge: SchemaChecker) -> ApiParts:
    """The parts with references led to `$defs`, and those definitions. Raises ContractError for what is not one."""
    components = document.get("components")
    definitions = components.get("schemas", {}) if isinstance(components, dict) else {}
    leading = _ReferenceRewriter(document, judge)
    components_led = {
        key: leading.rewrite(judge.check(component, f"{COMPONENTS}/{encode_pointer_part(key)}"))
        for key, component in definitions.items()
    }
    parts = {key: replace(part, schema=leading.rewrite(part.schema)) for key, part in parts_by_name.items()}
    every = {**components_led, **leading.extra}
    if judge.old:
        parts = {
            k: replace(part, schema=json_schema.convert_to_newest(part.schema, json_schema.DRAFT4))
            for k, part in parts.items()
        }
        every = {k: json_schema.convert_to_newest(schema, json_schema.DRAFT4) for k, schema in every.items()}
    return parts, every


class _ReferenceRewriter:
    """Schemas rewritten once each, however many operations share them."""

    def __init__(self, document: dict[str, Any], judge: SchemaChecker) -> None:
        self._document, self._judge = document, judge
        self._cache: dict[int, tuple[Any, Any]] = {}  # the schema too, so that its id stays its own
        self.extra: dict[str, Any] = {}

    def rewrite(self, schema: Any) -> Any:
        """The schema with every reference led to `$defs`."""
        if not isinstance(schema, dict):
            return schema
        cached = self._cache.get(id(schema))
        if cached is None:
            cached = self._cache[id(schema)] = (schema, self._rewrite_once(schema))
        return cached[1]

    def _rewrite_once(self, schema: dict[str, Any]) -> Any:
        rewritten: dict[str, Any] = map_subschemas(_name_null_branches(schema), self.rewrite)
        # Exactly a component's name, and no part inside of one: that has to be followed by itself.
        ref = rewritten.get("$ref")
        if isinstance(ref, str) and ref.startswith(f"#{COMPONENTS}/") and ref.count("/") == 3:
            rewritten = {**rewritten, "$ref": "#/$defs/" + ref.rpartition("/")[2]}
        elif isinstance(ref, str) and ref.startswith("#/"):
            name = ref[2:].replace("/", ":")
            if name not in self.extra:
                self.extra[name] = True  # taken, before it is met again within itself
                referred = follow_pointer(self._document, ref)
                is_there = referred is not NOWHERE
                # What is not there equals itself, so that two versions that both lack it do not differ.
                self.extra[name] = (
                    self.rewrite(self._judge.check(referred, ref[1:])) if is_there else {"$ref": f"unknown:{ref}"}
                )
            rewritten = {**rewritten, "$ref": f"#/$defs/{name.replace('~', '~0')}"}
        rewritten = _refuse_null_in_branches(rewritten)
        return _convert_nullable(rewritten)  # 3.1 dropped the word, and documents of 3.1 go on saying it


def _name_null_branches(schema: dict[str, Any]) -> dict[str, Any]:
    """A union of which a branch says `nullable: true` and no more means null by it, and not whatever there is."""
    for key in UNIONS:
        branches = schema.get(key)
        if isinstance(branches, list) and any(map(_says_nullable_alone, branches)):
            named = [{**_drop_nullable(b), "type": "null"} if _says_nullable_alone(b) else b for b in branches]
            schema = {**schema, key: named}
    return schema


def _refuse_null_in_branches(schema: dict[str, Any]) -> dict[str, Any]:
    """A branch takes no null where a `type` beside the union takes none.

    Nothing changes by it. But two editions that differ in that null alone are the same then, and need no proof.
    """
    types = schema.get("type")
    if not isinstance(types, str | list) or "null" in types:
        return schema
    for key in UNIONS:
        branches = schema.get(key)
        if isinstance(branches, list):
            schema = {**schema, key: [_refuse_null(branch) for branch in branches]}
    return schema


def _refuse_null(branch: Any) -> Any:
    types = branch.get("type") if isinstance(branch, dict) else None
    if not isinstance(types, list) or "null" not in types or len(types) == 1:
        return branch
    others = [name for name in types if name != "null"]
    return {**branch, "type": others[0] if len(others) == 1 else others}


def _says_nullable_alone(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("nullable") is True and schema.keys() - SILENT == {"nullable"}


def _convert_nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """`nullable: true`, as JSON Schema says it.

    OpenAPI 3.0.3 has it add null to `type` alone, so that a member of `allOf` would still refuse null. Whoever writes
    it beside `allOf` or a union means that null may come in place of them.
    """
    if schema.get("nullable") is not True:
        return schema
    converted = _drop_nullable(schema)
    kind = converted.get("type")
    if isinstance(kind, str) and IN_PLACE.isdisjoint(converted):
        converted["type"] = [kind, "null"]
        # An enumeration lists what is allowed, so null has to be in it as well as in the type.
        if isinstance(converted.get("enum"), list) and None not in converted["enum"]:
            converted["enum"] = [*converted["enum"], None]
        return converted
    about = {k: converted[k] for k in _ABOUT_FIELD if k in converted}
    return {**about, "anyOf": [converted, {"type": "null"}]}


def _drop_nullable(schema: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in schema.items() if k != "nullable"}


# The form of an OpenAPI or AsyncAPI document: what is read of it must be as its specification says.
#
# The tables follow "Fixed Fields" of OpenAPI 3.0.4, 3.1.1 and 3.2.0, and of AsyncAPI 3.0. What says nothing of payloads
# (servers, tags) is not looked at.


METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
PLACES = ("query", "querystring", "header", "path", "cookie")
_STATUS = re.compile(r"[1-5](\d\d|XX)|default")
_COMPONENTS = ("schemas", "responses", "parameters", "requestBodies", "headers", "callbacks", "pathItems", "mediaTypes")

Fault = tuple[Place, str]


def check_openapi(document: dict[str, Any], name: str) -> None:
    """Raise ContractError, with the pointer, for the first part that is not as OpenAPI 3 says."""
    _raise_first_fault(_find_openapi_faults(document), name, "OpenAPI 3")


def check_asyncapi(document: dict[str, Any], name: str) -> None:
    """The same of AsyncAPI 3."""
    _raise_first_fault(_find_asyncapi_faults(document), name, "AsyncAPI 3")


# The first fault and no list: what follows is often wrong only because of it.
def _raise_first_fault(faults: Iterator[Fault], name: str, what: str) -> None:
    for place, why in faults:
        raise ContractError(f"{name}: at {render_pointer(place) or 'the root'} {why}, as {what} says.")


def _find_openapi_faults(document: dict[str, Any]) -> Iterator[Fault]:
    if not any(key in document for key in ("paths", "webhooks", "components")):
        yield (), "`paths`, `webhooks` or `components` is wanted"
    yield from _find_non_objects(document, ("paths", "webhooks", "components"), ())
    yield from _find_security_faults(document, ())
    for path, item in _list_entries(document, "paths"):
        if not path.startswith(("/", "x-")):
            yield ("paths", path), "a path that begins with `/` is wanted"
        # Extensions may hold whatever their author likes.
        if not path.startswith("x-"):
            yield from _find_path_item_faults(item, ("paths", path))
    for hook, item in _list_entries(document, "webhooks"):
        yield from _find_path_item_faults(item, ("webhooks", hook))
    components = document.get("components")
    if isinstance(components, dict):
        yield from _find_non_objects(components, _COMPONENTS, ("components",))
        for key, component in _list_entries(components, "parameters"):
            yield from _find_parameter_faults(component, ("components", "parameters", key))
        for kind, check in (
            ("responses", _find_response_faults),
            ("requestBodies", _find_body_faults),
            ("pathItems", _find_path_item_faults),
        ):
            for key, component in _list_entries(components, kind):
                yield from check(component, ("components", kind, key))


def _find_path_item_faults(item: Any, place: Place) -> Iterator[Fault]:
    if not isinstance(item, dict):
        yield place, f"an object is wanted, not {render_short(item)}"
        return
    yield from _find_parameters_faults(item, place)
    yield from _find_non_objects(item, (*METHODS, "additionalOperations"), place)
    for method in METHODS:
        if isinstance(item.get(method), dict):
            yield from _find_operation_faults(item[method], (*place, method))
    for method, operation in _list_entries(item, "additionalOperations"):
        yield from _find_operation_faults(operation, (*place, "additionalOperations", method))


def _find_operation_faults(operation: Any, place: Place) -> Iterator[Fault]:
    if not isinstance(operation, dict):
        yield place, f"an object is wanted, not {render_short(operation)}"
        return
    yield from _find_parameters_faults(operation, place)
    yield from _find_security_faults(operation, place)
    yield from _find_non_objects(operation, ("requestBody", "responses", "callbacks"), place)
    if isinstance(operation.get("requestBody"), dict):
        yield from _find_body_faults(operation["requestBody"], (*place, "requestBody"))
    for status, response in _list_entries(operation, "responses"):
        # A misspelt status would be a response that nobody compares.
        if not (_STATUS.fullmatch(status) or status.startswith("x-")):
            yield (*place, "responses", status), "a status such as 200, 4XX or default is wanted"
        if not status.startswith("x-"):
            yield from _find_response_faults(response, (*place, "responses", status))


def _find_security_faults(holder: dict[str, Any], place: Place) -> Iterator[Fault]:
    ways = holder.get("security")
    if ways is not None and not isinstance(ways, list):
        yield (*place, "security"), f"a list is wanted, not {render_short(ways)}"
        return
    for i, way in enumerate(ways or ()):
        if not isinstance(way, dict):
            yield (*place, "security", i), f"an object is wanted, not {render_short(way)}"
            continue
        for name, scopes in way.items():
            if scopes is not None and not isinstance(scopes, list):  # nothing, where YAML has an empty value
                yield (*place, "security", i, name), f"a list is wanted, not {render_short(scopes)}"


def _find_parameters_faults(holder: dict[str, Any], place: Place) -> Iterator[Fault]:
    parameters = holder.get("parameters", [])
    if not isinstance(parameters, list):
        yield (*place, "parameters"), f"a list is wanted, not {render_short(parameters)}"
        return
    for i, parameter in enumerate(parameters):
        yield from _find_parameter_faults(parameter, (*place, "parameters", i))


def _find_parameter_faults(parameter: Any, place: Place) -> Iterator[Fault]:
    if not isinstance(parameter, dict):
        yield place, f"an object is wanted, not {render_short(parameter)}"
    elif "$ref" not in parameter:
        if not isinstance(parameter.get("name"), str):
            yield place, "a `name` is wanted"
        if parameter.get("in") not in PLACES:
            yield (*place, "in"), f"one of {', '.join(PLACES)} is wanted, not {render_short(parameter.get('in'))}"
        # Both or neither: the specification allows one, and which was meant decides how it is read.
        if ("schema" in parameter) == ("content" in parameter):
            yield place, "either `schema` or `content` is wanted"
        yield from _find_content_faults(parameter, place)


def _find_body_faults(body: Any, place: Place) -> Iterator[Fault]:
    if not isinstance(body, dict):
        yield place, f"an object is wanted, not {render_short(body)}"
    elif "$ref" not in body:
        if "content" not in body:
            yield place, "`content` is wanted"
        if not isinstance(body.get("required", False), bool):
            yield (*place, "required"), "true or false is wanted"
        yield from _find_content_faults(body, place)


def _find_response_faults(response: Any, place: Place) -> Iterator[Fault]:
    if not isinstance(response, dict):
        yield place, f"an object is wanted, not {render_short(response)}"
        return
    yield from _find_non_objects(response, ("headers",), place)
    yield from _find_content_faults(response, place)


def _find_content_faults(holder: dict[str, Any], place: Place) -> Iterator[Fault]:
    yield from _find_non_objects(holder, ("content",), place)
    for media, media_type in _list_entries(holder, "content"):
        if not isinstance(media_type, dict):
            yield (*place, "content", media), f"an object is wanted, not {render_short(media_type)}"


def _find_asyncapi_faults(document: dict[str, Any]) -> Iterator[Fault]:
    if not any(key in document for key in ("operations", "channels", "components")):
        yield (), "`operations`, `channels` or `components` is wanted"
    yield from _find_non_objects(document, ("operations", "channels", "components"), ())
    for name, item in _list_entries(document, "operations"):
        place = ("operations", name)
        if not isinstance(item, dict):
            yield place, f"an object is wanted, not {render_short(item)}"
        elif "$ref" not in item:
            if item.get("action") not in ("send", "receive"):
                yield (*place, "action"), f"send or receive is wanted, not {render_short(item.get('action'))}"
            if not isinstance(item.get("channel"), dict):
                yield (*place, "channel"), "a reference to a channel is wanted"
            if not isinstance(item.get("messages", []), list):
                yield (*place, "messages"), "a list is wanted"
    for name, item in _list_entries(document, "channels"):
        if not isinstance(item, dict):
            yield ("channels", name), f"an object is wanted, not {render_short(item)}"
        else:
            yield from _find_non_objects(item, ("messages",), ("channels", name))


def _find_non_objects(holder: dict[str, Any], keys: tuple[str, ...], place: Place) -> Iterator[Fault]:
    for key in keys:
        if key in holder and not isinstance(holder[key], dict):
            yield (*place, key), f"an object is wanted, not {render_short(holder[key])}"


def _list_entries(holder: dict[str, Any], key: str) -> Iterator[tuple[str, Any]]:
    entries = holder.get(key)
    yield from entries.items() if isinstance(entries, dict) else ()


INPUT, OUTPUT = "input", "output"
STATUS = " response"  # ends the name of a response, whatever it holds
MAX_CALLBACKS = 3  # callbacks of callbacks


def is_openapi(document: Any) -> bool:
    """Whether a document says that it is OpenAPI."""
    version = document.get("openapi", document.get("swagger")) if isinstance(document, dict) else None
    return isinstance(version, str | int | float) and not isinstance(version, bool)  # 2.0 without quotes is a number


def read_openapi(document: dict[str, Any], name: str) -> ApiParts:
    """The parts of an OpenAPI document. Raises ContractError for an edition, or a form, that is not read."""
    version = str(document.get("openapi", document.get("swagger")))
    if "openapi" not in document and version in ("2.0", "2"):
        document = convert_swagger(document)
        version = document["openapi"]
    if not re.match(r"3\.[0-2]\b", version):
        raise ContractError(f"{name} is OpenAPI {version}; 2.0, 3.0, 3.1 and 3.2 are read. Convert it first.")
    check_openapi(document, name)
    judge = SchemaChecker(document, name, old=version.startswith("3.0"))
    reading = _OperationReader(document, name, judge)
    for path, item in list_members(document, document.get("paths"), name):
        reading.read_path_item(path, item, f"/paths/{encode_pointer_part(path)}", INPUT, 0)
    for hook, item in list_members(document, document.get("webhooks"), name):
        reading.read_path_item(f"webhook {hook}", item, f"/webhooks/{encode_pointer_part(hook)}", OUTPUT, 0)
    if "paths" not in document and "webhooks" not in document:
        reading.read_components()
    return attach_definitions(reading.found, document, judge)


class _OperationReader:
    """The walk over the operations. Of a webhook or a callback the API itself is who sends the request."""

    def __init__(self, document: dict[str, Any], name: str, judge: SchemaChecker) -> None:
        self._document, self._name, self._judge = document, name, judge
        self.found: dict[str, ApiPart] = {}

    def read_path_item(self, path: str, item: dict[str, Any], pointer: str, request_side: str, depth: int) -> None:
        """All operations of a path."""
        for method in METHODS:
            if method in item:
                self._read_operation(
                    f"{method.upper()} {path}", item, item[method], f"{pointer}/{method}", request_side, depth
                )
        for method, operation in list_members(
            self._document, item.get("additionalOperations"), self._name
        ):  # since 3.2
            place = f"{pointer}/additionalOperations/{encode_pointer_part(method)}"
            self._read_operation(f"{method} {path}", item, operation, place, request_side, depth)

    def _read_operation(
        self, name: str, item: Any, operation: Any, location: str, request_side: str, depth: int
    ) -> None:
        operation = follow_reference(self._document, operation, self._name)
        if not isinstance(operation, dict):
            return
        answered = OUTPUT if request_side == INPUT else INPUT
        is_called = request_side == INPUT and depth == 0
        facts = {"security": read_security(self._document, operation)} if is_called else {}
        # An operation without any schema can be taken away, too.
        self.found[name] = ApiPart(request_side, True, location, whole=True, facts=facts)
        body = follow_reference(self._document, operation.get("requestBody"), self._name)
        forms: dict[str, str] = {}
        parameters = self._read_parameters(item, operation, location, forms)
        if isinstance(body, dict):
            # Whether there must be one is a promise of its own, beside what it holds.
            parameters["properties"]["body"] = True
            parameters["required"] += ["body"] if body.get("required") is True else []
        self.found[f"{name} parameters"] = ApiPart(request_side, parameters, f"{location}/parameters", facts=forms)
        for media, schema, pointer in self._read_media_types(body, f"{location}/requestBody"):
            self.found[f"{name} body {media}"] = ApiPart(request_side, schema, pointer)
        for status, response in list_members(self._document, operation.get("responses"), self._name):
            # Nobody waits for an error that no longer comes.
            needed = status[:1] not in "45"
            place = f"{location}/responses/{status}"
            self.found[f"{name} {status}{STATUS}"] = ApiPart(answered, {}, place, needed)
            for media, schema, pointer in self._read_media_types(response, place):
                self.found[f"{name} {status} {media}"] = ApiPart(answered, schema, pointer, needed)
            headers = self._read_headers(response, f"{place}/headers")
            if headers is not None:
                self.found[f"{name} {status} headers"] = ApiPart(answered, headers, f"{place}/headers", needed)
        if depth < MAX_CALLBACKS:
            self._read_callbacks(name, operation, location, answered, depth)

    def _read_callbacks(
        self, name: str, operation: dict[str, Any], pointer: str, request_side: str, depth: int
    ) -> None:
        for key, callback in list_members(self._document, operation.get("callbacks"), self._name):
            for expression, item in list_members(self._document, callback, self._name):
                place = f"{pointer}/callbacks/{encode_pointer_part(key)}/{encode_pointer_part(expression)}"
                self.read_path_item(f"{name} callback {key} {expression}", item, place, request_side, depth + 1)

    def read_components(self) -> None:
        """The schemas of a document without operations: a library, of which nobody says who sends what."""
        components = self._document.get("components")
        for key in components.get("schemas", {}) if isinstance(components, dict) else ():
            reference = {"$ref": f"#{COMPONENTS}/{encode_pointer_part(key)}"}
            place = f"{COMPONENTS}/{encode_pointer_part(key)}"
            for side, label in ((INPUT, "taken"), (OUTPUT, "sent")):
                self.found[f"schema {key} {label}"] = ApiPart(side, reference, place)

    def _read_parameters(
        self, item: dict[str, Any], operation: dict[str, Any], pointer: str, forms: dict[str, str]
    ) -> dict[str, Any]:
        """All parameters as one object. It is closed: who calls sends what is declared, and no server promises more."""
        fields: dict[str, Any] = {}
        needed: dict[str, bool] = {}  # the operation's own word goes before that of its path
        for i, written_parameter in enumerate([*item.get("parameters", ()), *operation.get("parameters", ())]):
            parameter = follow_reference(self._document, written_parameter, self._name)
            if isinstance(parameter, dict):
                field = f"{parameter.get('in', 'query')} {parameter.get('name')}"
                fields[field] = self._read_schema(
                    parameter, _locate_part(written_parameter, f"{pointer}/parameters/{i}")
                )
                needed[field] = parameter.get("required") is True
                forms[field] = read_form(parameter, follow_reference(self._document, parameter.get("schema")))
                forms[f"{field} (empty)"] = EMPTY if parameter.get("allowEmptyValue") is True else ""
        names = [field for field, must in needed.items() if must]
        return {"type": "object", "properties": fields, "required": names, "additionalProperties": False}

    def _read_headers(self, response: dict[str, Any], pointer: str) -> dict[str, Any] | None:
        headers = dict(list_members(self._document, response.get("headers"), self._name))
        if not headers:
            return None
        # Names of headers know no case (RFC 9110, 5.1).
        needed = [key.lower() for key, header in headers.items() if header.get("required") is True]
        fields = {
            key.lower(): self._read_schema(header, f"{pointer}/{encode_pointer_part(key)}")
            for key, header in headers.items()
        }
        return {"type": "object", "properties": fields, "required": needed}

    def _read_schema(self, holder: dict[str, Any], pointer: str) -> Any:
        """Of a parameter or a header: under `schema`, or under the one media type of `content`."""
        if "schema" in holder:
            return self._judge.check(holder["schema"], f"{pointer}/schema")
        return next(self._read_media_types(holder, pointer), ("", True, ""))[1]

    def _read_media_types(self, holder: Any, pointer: str) -> Iterator[tuple[str, Any, str]]:
        """Each media type, its schema and the schema's place. `itemSchema` (3.2) is of each item of a stream."""
        content = holder.get("content") if isinstance(holder, dict) else None
        for media, media_type in list_members(self._document, content, self._name):
            if "schema" not in media_type and "itemSchema" not in media_type:
                yield media, {}, f"{pointer}/content/{encode_pointer_part(media)}"  # anything
            for key, label in (("schema", media), ("itemSchema", f"{media} item")):
                if key in media_type:
                    place = f"{pointer}/content/{encode_pointer_part(media)}/{key}"
                    yield label, self._judge.check(media_type[key], place), place


def _locate_part(node: Any, pointer: str) -> str:
    """The place of a part: its own, or where it refers to."""
    ref = node.get("$ref") if isinstance(node, dict) else None
    return ref[1:] if isinstance(ref, str) and ref.startswith("#/") else pointer
