"""AsyncAPI 3: the payloads of messages, by operation. What is sent is an output, what is received an input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphbus_core.contracts.loaders.openapi import (
    INPUT,
    OUTPUT,
    ApiPart,
    ApiParts,
    SchemaChecker,
    attach_definitions,
    check_asyncapi,
    follow_reference,
    list_members,
)
from graphbus_core.contracts.parsing.json_schema import encode_pointer_part
from graphbus_core.errors import ContractError

_JSON_SCHEMA = ("application/schema", "application/vnd.aai.asyncapi", "application/vnd.oai.openapi")


def is_asyncapi(document: Any) -> bool:
    """Whether a document says that it is AsyncAPI."""
    return isinstance(document, dict) and isinstance(document.get("asyncapi"), str)


def read_asyncapi(document: dict[str, Any], name: str) -> ApiParts:
    """The parts of an AsyncAPI document. Raises ContractError for an edition, or a form, that is not read."""
    if not str(document["asyncapi"]).startswith("3."):
        # Version 2 turns send and receive around: who publishes there receives here. Read as 3 every direction would
        # be wrong.
        raise ContractError(f"{name} is AsyncAPI {document['asyncapi']}; 3.x is read. Convert it first.")
    check_asyncapi(document, name)
    parts_by_name: dict[str, ApiPart] = {}
    judge = SchemaChecker(document, name, old=False)
    for key, operation in list_members(document, document.get("operations"), name):
        action = str(operation.get("action"))
        side = OUTPUT if action == "send" else INPUT
        pointer = f"/operations/{encode_pointer_part(key)}"
        # The operation itself stands as `true`: that it exists is part of the promise, and it carries no data.
        parts_by_name[f"{action} {key}"] = ApiPart(side, True, pointer, whole=True)
        for label, message in _list_messages(document, operation, name):
            for what in ("payload", "headers"):
                if what in message:
                    suffix = "" if what == "payload" else " headers"
                    parts_by_name[f"{action} {key} {label}{suffix}"] = ApiPart(
                        side, judge.check(_read_schema(message[what], name, pointer), pointer), pointer
                    )
    return attach_definitions(parts_by_name, document, judge)


def _list_messages(
    document: dict[str, Any], operation: dict[str, Any], name: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The messages of an operation, by the key under which its channel has them."""
    channel = follow_reference(document, operation.get("channel"), name)
    # A message may be listed in an operation without its name; the key in its channel is how people call it.
    listed = operation.get("messages")
    if isinstance(listed, list):
        messages_by_name = {
            str(message.get("$ref", i)).rpartition("/")[2]: message
            for i, message in enumerate(listed)
            if isinstance(message, dict)
        }
    else:
        messages_by_name = channel.get("messages") or {} if isinstance(channel, dict) else {}
    yield from list_members(document, messages_by_name, name)


def _read_schema(payload: Any, name: str, pointer: str) -> Any:
    """The JSON Schema of a payload; another language of schemas is refused."""
    if not isinstance(payload, dict) or "schemaFormat" not in payload:
        return payload
    schema_format = str(payload["schemaFormat"])
    if not schema_format.startswith(_JSON_SCHEMA):
        raise ContractError(
            f"{name}: at {pointer} the payload is written as {schema_format}, which is not read. Give JSON Schema."
        )
    return payload.get("schema", True)
