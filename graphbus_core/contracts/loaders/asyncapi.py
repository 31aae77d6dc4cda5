"""AsyncAPI 2 and 3: the payloads of messages, by operation. What is sent is an output, what is received an input."""

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
    version = str(document["asyncapi"])
    if version.startswith("2."):
        document = _convert_version_2(document)
    elif not version.startswith("3."):
        raise ContractError(f"{name} is AsyncAPI {version}; 2.x and 3.x are read. Convert it first.")
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
    operations = [operation for _, operation in list_members(document, document.get("operations"), name)]
    used = {id(follow_reference(document, operation.get("channel"), name)) for operation in operations}
    for key, channel in list_members(document, document.get("channels"), name):
        if id(channel) in used:
            continue
        # Nobody says who sends here, so both directions count.
        for label, message in list_members(document, channel.get("messages"), name):
            pointer = f"/channels/{encode_pointer_part(key)}/messages/{encode_pointer_part(label)}"
            for side, word in ((INPUT, "taken"), (OUTPUT, "sent")):
                schema = judge.check(_read_schema(message.get("payload", True), name, pointer), pointer)
                parts_by_name[f"channel {key} {label} {word}"] = ApiPart(side, schema, pointer)
    if not parts_by_name:
        raise ContractError(
            f"{name} describes no message, so there is nothing to compare. Give operations or channels."
        )
    return attach_definitions(parts_by_name, document, judge)


def _convert_version_2(document: dict[str, Any]) -> dict[str, Any]:
    """The same as version 3 says it. Who may `publish` there is the client: the application receives."""
    operations: dict[str, Any] = {}
    channels: dict[str, Any] = {}
    written = document.get("channels")
    for channel, item in written.items() if isinstance(written, dict) else ():
        if not isinstance(item, dict):
            channels[channel] = item
            continue
        messages: dict[str, Any] = {}
        for verb, action in (("publish", "receive"), ("subscribe", "send")):
            if isinstance(item.get(verb), dict):
                own = _name_messages(item[verb].get("message", {}))
                messages |= own
                operations[f"{channel} {verb}"] = {"action": action, "channel": {"messages": own}}
        channels[channel] = {"messages": messages}
    return {**document, "asyncapi": "3.0.0", "operations": operations, "channels": {} if operations else channels}


def _name_messages(message: Any) -> dict[str, Any]:
    """The messages of an operation by their names, else by their place."""
    several = message.get("oneOf") if isinstance(message, dict) else None
    messages = {}
    for index, written in enumerate(several if isinstance(several, list) else [message]):
        about = written if isinstance(written, dict) else {}
        name = about.get("messageId") or about.get("name") or str(about.get("$ref", "")).rpartition("/")[2]
        messages[str(name or (index if several else "message"))] = _move_format(about)
    return messages


def _move_format(message: dict[str, Any]) -> dict[str, Any]:
    """The language of a payload stands beside it in version 2, and around it in version 3."""
    if "schemaFormat" not in message or "payload" not in message:
        return message
    rest = {key: value for key, value in message.items() if key != "schemaFormat"}
    return {**rest, "payload": {"schemaFormat": message["schemaFormat"], "schema": message["payload"]}}


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
