"""AsyncAPI 3: the payloads of messages, by operation. What is sent is an output, what is received an input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphbus_core.contracts.front.components import Judge, Part, Parts, members, target, with_definitions
from graphbus_core.contracts.front.form import refuse_asyncapi
from graphbus_core.contracts.front.openapi import INPUT, OUTPUT
from graphbus_core.contracts.reading.walk import escaped
from graphbus_core.errors import ContractError

_JSON_SCHEMA = ("application/schema", "application/vnd.aai.asyncapi", "application/vnd.oai.openapi")


def is_asyncapi(document: Any) -> bool:
    """Whether a document says that it is AsyncAPI."""
    return isinstance(document, dict) and isinstance(document.get("asyncapi"), str)


def read_asyncapi(document: dict[str, Any], name: str) -> Parts:
    """The parts of an AsyncAPI document. Raises ContractError for an edition, or a form, that is not read."""
    if not str(document["asyncapi"]).startswith("3."):
        # Version 2 turns send and receive around: who publishes there receives here. Read as 3 every direction would
        # be wrong.
        raise ContractError(f"{name} is AsyncAPI {document['asyncapi']}; 3.x is read. Convert it first.")
    refuse_asyncapi(document, name)
    found: dict[str, Part] = {}
    judge = Judge(document, name, old=False)
    for key, operation in members(document, document.get("operations"), name):
        action = str(operation.get("action"))
        side = OUTPUT if action == "send" else INPUT
        at = f"/operations/{escaped(key)}"
        # The operation itself stands as `true`: that it exists is part of the promise, and it carries no data.
        found[f"{action} {key}"] = Part(side, True, at, whole=True)
        for label, message in _messages(document, operation, name):
            for what in ("payload", "headers"):
                if what in message:
                    said = "" if what == "payload" else " headers"
                    found[f"{action} {key} {label}{said}"] = Part(
                        side, judge.passed(_schema(message[what], name, at), at), at
                    )
    return with_definitions(found, document, judge)


def _messages(document: dict[str, Any], operation: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The messages of an operation, by the key under which its channel has them."""
    channel = target(document, operation.get("channel"), name)
    # A message may be listed in an operation without its name; the key in its channel is how people call it.
    listed = operation.get("messages")
    if isinstance(listed, list):
        named = {
            str(one.get("$ref", i)).rpartition("/")[2]: one for i, one in enumerate(listed) if isinstance(one, dict)
        }
    else:
        named = channel.get("messages") or {} if isinstance(channel, dict) else {}
    yield from members(document, named, name)


def _schema(payload: Any, name: str, at: str) -> Any:
    """The JSON Schema of a payload; another language of schemas is refused."""
    if not isinstance(payload, dict) or "schemaFormat" not in payload:
        return payload
    said = str(payload["schemaFormat"])
    if not said.startswith(_JSON_SCHEMA):
        raise ContractError(f"{name}: at {at} the payload is written as {said}, which is not read. Give JSON Schema.")
    return payload.get("schema", True)
