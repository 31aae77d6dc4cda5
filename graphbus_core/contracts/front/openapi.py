"""OpenAPI 3.0, 3.1 and 3.2, AsyncAPI 3: the schemas of operations, by what is sent and what is taken.

All of one direction stand in one object, a field for each part of an operation (`POST /pets body application/json`),
and share the components as `$defs`. So a component that half of the operations use is compared once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.walk import NOWHERE, follow, mapped
from graphbus_core.errors import ContractError

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
INPUT, OUTPUT = "input", "output"
Parts = dict[str, tuple[str, Any, str]]  # name of the part -> (side, schema, pointer)


def is_openapi(document: Any) -> bool:
    """Whether a document says that it is OpenAPI."""
    return isinstance(document, dict) and isinstance(document.get("openapi", document.get("swagger")), str)


def is_asyncapi(document: Any) -> bool:
    """Whether a document says that it is AsyncAPI."""
    return isinstance(document, dict) and isinstance(document.get("asyncapi"), str)


def read_openapi(document: dict[str, Any], name: str) -> Parts:
    """The parts of an OpenAPI document. Raises ContractError for an edition that is not read."""
    version = str(document.get("openapi", document.get("swagger")))
    if not version.startswith("3."):
        raise ContractError(f"{name} is OpenAPI {version}; 3.0, 3.1 and 3.2 are read. Convert it first.")
    old = version.startswith("3.0")
    found: Parts = {}
    for path, item in _members(document, document.get("paths")):
        for method in METHODS:
            operation = _target(document, item.get(method))
            if isinstance(operation, dict):
                at = f"/paths/{_escaped(path)}/{method}"
                _operation(document, f"{method.upper()} {path}", item, operation, at, found)
    definitions = {} if not isinstance(document.get("components"), dict) else document["components"].get("schemas", {})
    return _with_definitions(found, definitions if isinstance(definitions, dict) else {}, document, old)


def read_asyncapi(document: dict[str, Any], name: str) -> Parts:
    """The parts of an AsyncAPI document: what is sent is an output, what is received an input."""
    if not str(document["asyncapi"]).startswith("3."):
        raise ContractError(f"{name} is AsyncAPI {document['asyncapi']}; 3.x is read. Convert it first.")
    found: Parts = {}
    for name_of, operation in _members(document, document.get("operations")):
        side = OUTPUT if operation.get("action") == "send" else INPUT
        channel = _target(document, operation.get("channel"))
        listed = operation.get("messages")
        messages = enumerate(listed) if isinstance(listed, list) else (channel or {}).get("messages", {}).items()
        for key, one in messages:
            message = _target(document, one)
            payload = message.get("payload") if isinstance(message, dict) else None
            if isinstance(payload, dict) and "schemaFormat" in payload:
                payload = payload.get("schema")
            if payload is not None:
                label = message.get("name") or (str(one.get("$ref", key)).rpartition("/")[2])
                found[f"{operation.get('action')} {name_of} {label}"] = (
                    side,
                    payload,
                    f"/operations/{_escaped(name_of)}",
                )
    components = document.get("components")
    definitions = components.get("schemas", {}) if isinstance(components, dict) else {}
    return _with_definitions(found, definitions, document, False)


def _operation(
    document: dict[str, Any], name: str, item: dict[str, Any], operation: dict[str, Any], at: str, found: Parts
) -> None:
    fields: dict[str, Any] = {}
    needed: list[str] = []
    for one in [*item.get("parameters", ()), *operation.get("parameters", ())]:
        parameter = _target(document, one)
        if isinstance(parameter, dict) and "name" in parameter:
            field = f"{parameter.get('in', 'query')} {parameter['name']}"
            fields[field] = parameter.get("schema", next(iter(_media(parameter)), ("", True, ""))[1])
            if parameter.get("required") and field not in needed:
                needed.append(field)
    if fields:
        schema = {"type": "object", "properties": fields, **({"required": needed} if needed else {})}
        found[f"{name} parameters"] = (INPUT, schema, f"{at}/parameters")
    body = _target(document, operation.get("requestBody"))
    for media, schema, pointer in _media(body) if isinstance(body, dict) else ():
        found[f"{name} body {media}"] = (INPUT, schema, f"{at}/requestBody{pointer}")
    for status, one in _members(document, operation.get("responses")):
        for media, schema, pointer in _media(one):
            found[f"{name} {status} {media}"] = (OUTPUT, schema, f"{at}/responses/{status}{pointer}")


def _media(holder: dict[str, Any]) -> Iterator[tuple[str, Any, str]]:
    content = holder.get("content")
    for media, one in content.items() if isinstance(content, dict) else ():
        if isinstance(one, dict) and "schema" in one:
            yield str(media), one["schema"], f"/content/{_escaped(str(media))}/schema"


def _members(document: dict[str, Any], holder: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, one in holder.items() if isinstance(holder, dict) else ():
        target = _target(document, one)
        if isinstance(target, dict):
            yield str(key), target


def _target(document: dict[str, Any], one: Any) -> Any:
    for _ in range(10):
        if not isinstance(one, dict) or not str(one.get("$ref", "")).startswith("#/"):
            return one
        one = follow(document, one["$ref"])
        if one is NOWHERE:
            return None
    return None


def _with_definitions(found: Parts, definitions: dict[str, Any], document: Any, old: bool) -> Parts:
    """The parts with references led to `$defs`, and those definitions beside them under the name ""."""
    made: dict[str, Any] = {}
    extra: dict[str, Any] = {}

    def lead(schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        known = cache.get(id(schema))
        if known is None:
            known = cache[id(schema)] = (schema, _led(schema))
        return known[1]

    def _led(schema: dict[str, Any]) -> Any:
        one: dict[str, Any] = mapped(schema, lead)
        ref = one.get("$ref")
        if isinstance(ref, str) and ref.startswith("#/components/schemas/") and ref.count("/") == 3:
            one = {**one, "$ref": "#/$defs/" + ref.rpartition("/")[2]}
        elif isinstance(ref, str) and ref.startswith("#/"):
            name = ref[2:].replace("/", ":")
            if name not in extra:
                extra[name] = True
                target = follow(document, ref)
                extra[name] = lead(target) if target is not NOWHERE else {"$ref": "unknown:" + ref}
            one = {**one, "$ref": f"#/$defs/{name.replace('~', '~0')}"}
        return _nullable(one) if old else one

    cache: dict[int, tuple[Any, Any]] = {}
    for name, schema in definitions.items():
        made[name] = lead(schema)
    parts = {name: (side, lead(schema), pointer) for name, (side, schema, pointer) in found.items()}
    if old:
        parts = {n: (s, dialects.modern(schema, dialects.DRAFT4), p) for n, (s, schema, p) in parts.items()}
        made = {n: dialects.modern(s, dialects.DRAFT4) for n, s in made.items()}
        extra = {n: dialects.modern(s, dialects.DRAFT4) for n, s in extra.items()}
    return {**parts, "": ("", {**made, **extra}, "/components/schemas")}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """`nullable: true` of OpenAPI 3.0, as 3.1 says it."""
    if schema.get("nullable") is not True:
        return schema
    made = {k: v for k, v in schema.items() if k != "nullable"}
    kind = made.get("type")
    if isinstance(kind, str):
        made["type"] = [kind, "null"]
        if isinstance(made.get("enum"), list) and None not in made["enum"]:
            made["enum"] = [*made["enum"], None]
        return made
    return {"anyOf": [made, {"type": "null"}]}


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")
