"""Swagger 2.0 as OpenAPI 3.0 says the same, so that one reader reads both. Pure; what is malformed stays as it stands.

The clauses are those of the OpenAPI specification 2.0: "Parameter Object", "Response Object", "Items Object".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphbus_core.contracts.parsing.json_schema import DATA, NOWHERE, follow_pointer

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
_JSON = ["application/json"]
_MULTIPART = "multipart/form-data"
# Where the named parts of a document went. A body is a parameter there, and is brought in where it is used.
_MOVED = {
    "#/definitions/": "#/components/schemas/",
    "#/responses/": "#/components/responses/",
    "#/parameters/": "#/components/parameters/",
}
_NOT_SCHEMA = frozenset(
    ("name", "in", "required", "description", "collectionFormat", "allowEmptyValue", "schema", "x-example")
)
_FORMS: Mapping[str, Mapping[str, Any]] = {
    "csv": {"style": "form", "explode": False},
    "multi": {"style": "form", "explode": True},
    "ssv": {"style": "spaceDelimited", "explode": False},
    "pipes": {"style": "pipeDelimited", "explode": False},
}


def convert_swagger(document: dict[str, Any]) -> dict[str, Any]:
    """The document as OpenAPI 3.0."""
    return _Conversion(document).convert()


class _Conversion:
    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._consumes = _list_media(document.get("consumes"))
        self._produces = _list_media(document.get("produces"))

    def convert(self) -> dict[str, Any]:
        old = self._document
        kept = {key: value for key, value in old.items() if key.startswith("x-") or key in ("info", "security", "tags")}
        paths = old.get("paths")
        converted = {**kept, "openapi": "3.0.3", "paths": paths}
        if isinstance(paths, dict):
            converted["paths"] = {path: self._convert_path_item(item) for path, item in paths.items()}
        components: dict[str, Any] = {"schemas": _convert_schemas(old.get("definitions", {}), named=True)}
        components["parameters"] = {
            name: self._convert_parameter(parameter)
            for name, parameter in _iterate(old.get("parameters"))
            if parameter.get("in") not in ("body", "formData")
        }
        components["responses"] = {
            name: self._convert_response(response, self._produces) for name, response in _iterate(old.get("responses"))
        }
        components["securitySchemes"] = old.get("securityDefinitions", {})
        return {**converted, "components": components}

    def _convert_path_item(self, item: Any) -> Any:
        if not isinstance(item, dict):
            return item
        shared = item.get("parameters", [])
        converted = {key: value for key, value in item.items() if key != "parameters"}
        for method in _METHODS:
            if isinstance(item.get(method), dict):
                converted[method] = self._convert_operation(item[method], shared)
        return converted

    def _convert_operation(self, operation: dict[str, Any], shared: Any) -> dict[str, Any]:
        own = operation.get("parameters", [])
        if not isinstance(own, list) or not isinstance(shared, list):
            return operation
        parameters: list[Any] = []
        body: Any = None
        fields: list[dict[str, Any]] = []
        for written in _override(shared, own, self._resolve):
            parameter = self._resolve(written)
            place = parameter.get("in") if isinstance(parameter, dict) else None
            if place == "body":
                body = parameter
            elif place == "formData":
                fields.append(parameter)
            else:
                parameters.append(self._convert_parameter(written))
        consumes = _list_media(operation.get("consumes")) or self._consumes
        converted = {**operation, "parameters": parameters}
        if body is not None:
            content = {media: {"schema": _convert_schemas(body.get("schema", {}))} for media in consumes or _JSON}
            converted["requestBody"] = {"content": content, "required": body.get("required") is True}
        elif fields:
            converted["requestBody"] = _build_form(fields, consumes)
        produces = _list_media(operation.get("produces")) or self._produces
        if isinstance(operation.get("responses"), dict):
            converted["responses"] = {
                status: response if status.startswith("x-") else self._convert_response(response, produces)
                for status, response in operation["responses"].items()
            }
        return converted

    def _resolve(self, written: Any) -> Any:
        if isinstance(written, dict) and isinstance(written.get("$ref"), str) and written["$ref"].startswith("#/"):
            target = follow_pointer(self._document, written["$ref"])
            return written if target is NOWHERE else target
        return written

    def _convert_parameter(self, parameter: Any) -> Any:
        if not isinstance(parameter, dict) or "$ref" in parameter:
            return _convert_schemas(parameter)
        kept = {key: value for key, value in parameter.items() if key in ("name", "in", "required", "description")}
        kept["schema"] = _read_inline(parameter)
        form = _FORMS.get(parameter.get("collectionFormat", "csv"))
        return {**kept, **form} if form is not None and parameter.get("type") == "array" else kept

    def _convert_response(self, response: Any, produces: list[str]) -> Any:
        if not isinstance(response, dict) or "$ref" in response:
            return _convert_schemas(response)
        converted = {key: value for key, value in response.items() if key not in ("schema", "headers", "examples")}
        if "schema" in response:
            schema = _convert_schemas(response["schema"])
            converted["content"] = {media: {"schema": schema} for media in produces or _JSON}
        if isinstance(response.get("headers"), dict):
            headers = response["headers"].items()
            converted["headers"] = {
                name: {"schema": _read_inline(header)} for name, header in headers if isinstance(header, dict)
            }
        return converted


def _override(shared: list[Any], own: list[Any], resolve: Any) -> list[Any]:
    """The parameters of an operation: its own go before those of its path."""

    def identify(parameter: Any) -> Any:
        found = resolve(parameter)
        return (found.get("in"), found.get("name")) if isinstance(found, dict) else id(parameter)

    stated = {identify(parameter) for parameter in own}
    return [*(parameter for parameter in shared if identify(parameter) not in stated), *own]


def _build_form(fields: list[dict[str, Any]], consumes: list[str]) -> dict[str, Any]:
    """The fields of a form as one object."""
    has_file = any(field.get("type") == "file" for field in fields)
    usual = [_MULTIPART if has_file else "application/x-www-form-urlencoded"]
    needed = [field["name"] for field in fields if field.get("required") is True and "name" in field]
    schema: dict[str, Any] = {"type": "object", "properties": {f.get("name", ""): _read_inline(f) for f in fields}}
    if needed:
        schema["required"] = needed
    forms = [media for media in consumes if media in (_MULTIPART, "application/x-www-form-urlencoded")]
    return {"content": {media: {"schema": schema} for media in forms or usual}, "required": bool(needed)}


def _read_inline(holder: dict[str, Any]) -> Any:
    """The schema that a parameter or a header carries in itself."""
    return _convert_schemas({key: value for key, value in holder.items() if key not in _NOT_SCHEMA})


def _convert_schemas(node: Any, *, named: bool = False) -> Any:
    """Schemas in the words of 3.0: references led, files as text, `x-nullable`, the discriminator as an object."""
    if isinstance(node, list):
        return [_convert_schemas(part) for part in node]
    if not isinstance(node, dict):
        return node
    converted = {
        key: value if key in DATA and not named else _convert_schemas(value, named=key == "properties" and not named)
        for key, value in node.items()
    }
    if named:
        return converted
    reference = converted.get("$ref")
    if isinstance(reference, str):
        moved = next((prefix for prefix in _MOVED if reference.startswith(prefix)), "")
        converted["$ref"] = _MOVED[moved] + reference.removeprefix(moved) if moved else reference
    if converted.get("type") == "file":
        converted |= {"type": "string", "format": "binary"}
    if "x-nullable" in converted:
        converted["nullable"] = converted.pop("x-nullable")
    if isinstance(converted.get("discriminator"), str):
        converted["discriminator"] = {"propertyName": converted["discriminator"]}
    return converted


def _iterate(holder: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, value in holder.items() if isinstance(holder, dict) else ():
        if isinstance(value, dict):
            yield name, value


def _list_media(value: Any) -> list[str]:
    return [media for media in value if isinstance(media, str)] if isinstance(value, list) else []
