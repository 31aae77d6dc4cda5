"""The form of an OpenAPI or AsyncAPI document: what is read of it must be as its specification says.

The tables follow "Fixed Fields" of OpenAPI 3.0.4, 3.1.1 and 3.2.0, and of AsyncAPI 3.0. What says nothing of payloads
(servers, tags, security) is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphbus_core.contracts.reading.walk import Place, pointer_text
from graphbus_core.contracts.reading.wording import short
from graphbus_core.errors import ContractError

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
PLACES = ("query", "querystring", "header", "path", "cookie")
_STATUS = re.compile(r"[1-5](\d\d|XX)|default")
_COMPONENTS = ("schemas", "responses", "parameters", "requestBodies", "headers", "callbacks", "pathItems", "mediaTypes")

Fault = tuple[Place, str]


def refuse_openapi(document: dict[str, Any], name: str) -> None:
    """Raise ContractError, with the pointer, for the first part that is not as OpenAPI 3 says."""
    _refuse(_openapi(document), name, "OpenAPI 3")


def refuse_asyncapi(document: dict[str, Any], name: str) -> None:
    """The same of AsyncAPI 3."""
    _refuse(_asyncapi(document), name, "AsyncAPI 3")


# The first fault and no list: what follows is often wrong only because of it.
def _refuse(faults: Iterator[Fault], name: str, what: str) -> None:
    for place, why in faults:
        raise ContractError(f"{name}: at {pointer_text(place) or 'the root'} {why}, as {what} says.")


def _openapi(document: dict[str, Any]) -> Iterator[Fault]:
    if not any(key in document for key in ("paths", "webhooks", "components")):
        yield (), "`paths`, `webhooks` or `components` is wanted"
    yield from _objects(document, ("paths", "webhooks", "components"), ())
    for path, item in _entries(document, "paths"):
        if not path.startswith(("/", "x-")):
            yield ("paths", path), "a path that begins with `/` is wanted"
        # Extensions may hold whatever their author likes.
        if not path.startswith("x-"):
            yield from _item(item, ("paths", path))
    for hook, item in _entries(document, "webhooks"):
        yield from _item(item, ("webhooks", hook))
    components = document.get("components")
    if isinstance(components, dict):
        yield from _objects(components, _COMPONENTS, ("components",))
        for key, one in _entries(components, "parameters"):
            yield from _parameter(one, ("components", "parameters", key))
        for kind, check in (("responses", _response), ("requestBodies", _body), ("pathItems", _item)):
            for key, one in _entries(components, kind):
                yield from check(one, ("components", kind, key))


def _item(item: Any, at: Place) -> Iterator[Fault]:
    if not isinstance(item, dict):
        yield at, f"an object is wanted, not {short(item)}"
        return
    yield from _parameters(item, at)
    yield from _objects(item, (*METHODS, "additionalOperations"), at)
    for method in METHODS:
        if isinstance(item.get(method), dict):
            yield from _operation(item[method], (*at, method))
    for method, one in _entries(item, "additionalOperations"):
        yield from _operation(one, (*at, "additionalOperations", method))


def _operation(one: Any, at: Place) -> Iterator[Fault]:
    if not isinstance(one, dict):
        yield at, f"an object is wanted, not {short(one)}"
        return
    yield from _parameters(one, at)
    yield from _objects(one, ("requestBody", "responses", "callbacks"), at)
    if isinstance(one.get("requestBody"), dict):
        yield from _body(one["requestBody"], (*at, "requestBody"))
    for status, response in _entries(one, "responses"):
        # A misspelt status would be a response that nobody compares.
        if not (_STATUS.fullmatch(status) or status.startswith("x-")):
            yield (*at, "responses", status), "a status such as 200, 4XX or default is wanted"
        if not status.startswith("x-"):
            yield from _response(response, (*at, "responses", status))


def _parameters(holder: dict[str, Any], at: Place) -> Iterator[Fault]:
    given = holder.get("parameters", [])
    if not isinstance(given, list):
        yield (*at, "parameters"), f"a list is wanted, not {short(given)}"
        return
    for i, one in enumerate(given):
        yield from _parameter(one, (*at, "parameters", i))


def _parameter(one: Any, at: Place) -> Iterator[Fault]:
    if not isinstance(one, dict):
        yield at, f"an object is wanted, not {short(one)}"
    elif "$ref" not in one:
        if not isinstance(one.get("name"), str):
            yield at, "a `name` is wanted"
        if one.get("in") not in PLACES:
            yield (*at, "in"), f"one of {', '.join(PLACES)} is wanted, not {short(one.get('in'))}"
        # Both or neither: the specification allows one, and which was meant decides how it is read.
        if ("schema" in one) == ("content" in one):
            yield at, "either `schema` or `content` is wanted"
        yield from _content(one, at)


def _body(one: Any, at: Place) -> Iterator[Fault]:
    if not isinstance(one, dict):
        yield at, f"an object is wanted, not {short(one)}"
    elif "$ref" not in one:
        if "content" not in one:
            yield at, "`content` is wanted"
        if not isinstance(one.get("required", False), bool):
            yield (*at, "required"), "true or false is wanted"
        yield from _content(one, at)


def _response(one: Any, at: Place) -> Iterator[Fault]:
    if not isinstance(one, dict):
        yield at, f"an object is wanted, not {short(one)}"
        return
    yield from _objects(one, ("headers",), at)
    yield from _content(one, at)


def _content(one: dict[str, Any], at: Place) -> Iterator[Fault]:
    yield from _objects(one, ("content",), at)
    for media, held in _entries(one, "content"):
        if not isinstance(held, dict):
            yield (*at, "content", media), f"an object is wanted, not {short(held)}"


def _asyncapi(document: dict[str, Any]) -> Iterator[Fault]:
    if not any(key in document for key in ("operations", "channels", "components")):
        yield (), "`operations`, `channels` or `components` is wanted"
    yield from _objects(document, ("operations", "channels", "components"), ())
    for name, one in _entries(document, "operations"):
        at = ("operations", name)
        if not isinstance(one, dict):
            yield at, f"an object is wanted, not {short(one)}"
        elif "$ref" not in one:
            if one.get("action") not in ("send", "receive"):
                yield (*at, "action"), f"send or receive is wanted, not {short(one.get('action'))}"
            if not isinstance(one.get("channel"), dict):
                yield (*at, "channel"), "a reference to a channel is wanted"
            if not isinstance(one.get("messages", []), list):
                yield (*at, "messages"), "a list is wanted"
    for name, one in _entries(document, "channels"):
        if not isinstance(one, dict):
            yield ("channels", name), f"an object is wanted, not {short(one)}"
        else:
            yield from _objects(one, ("messages",), ("channels", name))


def _objects(holder: dict[str, Any], keys: tuple[str, ...], at: Place) -> Iterator[Fault]:
    for key in keys:
        if key in holder and not isinstance(holder[key], dict):
            yield (*at, key), f"an object is wanted, not {short(holder[key])}"


def _entries(holder: dict[str, Any], key: str) -> Iterator[tuple[str, Any]]:
    found = holder.get(key)
    yield from found.items() if isinstance(found, dict) else ()
