"""OpenAPI 3.0, 3.1 and 3.2: the schemas of operations, by what is sent and what is taken.

All of one direction stand in one object, a field for each part of an operation (`POST /pets body application/json`),
and share the components as `$defs`. So a component that half of the operations use is compared once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphbus_core.contracts.front.components import Judge, Part, Parts, members, target, with_definitions
from graphbus_core.contracts.front.form import METHODS, refuse_openapi
from graphbus_core.contracts.reading.walk import escaped
from graphbus_core.errors import ContractError

INPUT, OUTPUT = "input", "output"
MAX_CALLBACKS = 3  # callbacks of callbacks


def is_openapi(document: Any) -> bool:
    """Whether a document says that it is OpenAPI."""
    return isinstance(document, dict) and isinstance(document.get("openapi", document.get("swagger")), str)


def read_openapi(document: dict[str, Any], name: str) -> Parts:
    """The parts of an OpenAPI document. Raises ContractError for an edition, or a form, that is not read."""
    version = str(document.get("openapi", document.get("swagger")))
    if not version.startswith("3."):
        raise ContractError(f"{name} is OpenAPI {version}; 3.0, 3.1 and 3.2 are read. Convert it first.")
    refuse_openapi(document, name)
    judge = Judge(document, name, old=version.startswith("3.0"))
    reading = _Reading(document, name, judge)
    for path, item in members(document, document.get("paths"), name):
        reading.item(path, item, f"/paths/{escaped(path)}", INPUT, 0)
    for hook, item in members(document, document.get("webhooks"), name):
        reading.item(f"webhook {hook}", item, f"/webhooks/{escaped(hook)}", OUTPUT, 0)
    return with_definitions(reading.found, document, judge)


class _Reading:
    """The walk over the operations. Of a webhook or a callback the API itself is who sends the request."""

    def __init__(self, document: dict[str, Any], name: str, judge: Judge) -> None:
        self._document, self._name, self._judge = document, name, judge
        self.found: dict[str, Part] = {}

    def item(self, path: str, item: dict[str, Any], at: str, asked: str, depth: int) -> None:
        """All operations of a path."""
        for method in METHODS:
            if method in item:
                self._operation(f"{method.upper()} {path}", item, item[method], f"{at}/{method}", asked, depth)
        for method, one in members(self._document, item.get("additionalOperations"), self._name):  # since 3.2
            place = f"{at}/additionalOperations/{escaped(method)}"
            self._operation(f"{method} {path}", item, one, place, asked, depth)

    def _operation(self, name: str, item: Any, operation: Any, at: str, asked: str, depth: int) -> None:
        operation = target(self._document, operation, self._name)
        if not isinstance(operation, dict):
            return
        answered = OUTPUT if asked == INPUT else INPUT
        self.found[name] = Part(asked, True, at, whole=True)  # an operation without any schema can be taken away, too
        body = target(self._document, operation.get("requestBody"), self._name)
        parameters = self._parameters(item, operation, at)
        if isinstance(body, dict):
            # Whether there must be one is a promise of its own, beside what it holds.
            parameters["properties"]["body"] = True
            parameters["required"] += ["body"] if body.get("required") is True else []
        self.found[f"{name} parameters"] = Part(asked, parameters, f"{at}/parameters")
        for media, schema, pointer in self._media(body, f"{at}/requestBody"):
            self.found[f"{name} body {media}"] = Part(asked, schema, pointer)
        for status, one in members(self._document, operation.get("responses"), self._name):
            # Nobody waits for an error that no longer comes.
            needed = status[:1] not in "45"
            place = f"{at}/responses/{status}"
            for media, schema, pointer in self._media(one, place):
                self.found[f"{name} {status} {media}"] = Part(answered, schema, pointer, needed)
            headers = self._headers(one, f"{place}/headers")
            if headers is not None:
                self.found[f"{name} {status} headers"] = Part(answered, headers, f"{place}/headers", needed)
        if depth < MAX_CALLBACKS:
            self._callbacks(name, operation, at, answered, depth)

    def _callbacks(self, name: str, operation: dict[str, Any], at: str, asked: str, depth: int) -> None:
        for key, callback in members(self._document, operation.get("callbacks"), self._name):
            for expression, item in members(self._document, callback, self._name):
                place = f"{at}/callbacks/{escaped(key)}/{escaped(expression)}"
                self.item(f"{name} callback {key} {expression}", item, place, asked, depth + 1)

    def _parameters(self, item: dict[str, Any], operation: dict[str, Any], at: str) -> dict[str, Any]:
        """All parameters as one object. It is closed: who calls sends what is declared, and no server promises more."""
        fields: dict[str, Any] = {}
        needed: dict[str, bool] = {}  # the operation's own word goes before that of its path
        for i, one in enumerate([*item.get("parameters", ()), *operation.get("parameters", ())]):
            parameter = target(self._document, one, self._name)
            if isinstance(parameter, dict):
                field = f"{parameter.get('in', 'query')} {parameter.get('name')}"
                fields[field] = self._schema(parameter, _own(one, f"{at}/parameters/{i}"))
                needed[field] = parameter.get("required") is True
        names = [field for field, must in needed.items() if must]
        return {"type": "object", "properties": fields, "required": names, "additionalProperties": False}

    def _headers(self, response: dict[str, Any], at: str) -> dict[str, Any] | None:
        found = dict(members(self._document, response.get("headers"), self._name))
        if not found:
            return None
        # Names of headers know no case (RFC 9110, 5.1).
        needed = [key.lower() for key, one in found.items() if one.get("required") is True]
        fields = {key.lower(): self._schema(one, f"{at}/{escaped(key)}") for key, one in found.items()}
        return {"type": "object", "properties": fields, "required": needed}

    def _schema(self, holder: dict[str, Any], at: str) -> Any:
        """Of a parameter or a header: under `schema`, or under the one media type of `content`."""
        if "schema" in holder:
            return self._judge.passed(holder["schema"], f"{at}/schema")
        return next(self._media(holder, at), ("", True, ""))[1]

    def _media(self, holder: Any, at: str) -> Iterator[tuple[str, Any, str]]:
        """Each media type, its schema and the schema's place. `itemSchema` (3.2) is of each item of a stream."""
        content = holder.get("content") if isinstance(holder, dict) else None
        for media, one in members(self._document, content, self._name):
            for key, label in (("schema", media), ("itemSchema", f"{media} item")):
                if key in one:
                    place = f"{at}/content/{escaped(media)}/{key}"
                    yield label, self._judge.passed(one[key], place), place


def _own(one: Any, at: str) -> str:
    """The place of a part: its own, or where it refers to."""
    ref = one.get("$ref") if isinstance(one, dict) else None
    return ref[1:] if isinstance(ref, str) and ref.startswith("#/") else at
