"""A component that is written elsewhere, as a node of the graph: asked and shown, never edited, never run here.

    OpenAPI       a method for each operation: its parameters and its body taken, its 2xx answer given; a webhook gives
    AsyncAPI      what it sends is published, what it receives is heard, each on the address of its channel
    JSON Schema   one method, `payload`, that gives and takes it

What is read is what `graphbus contracts` reads: there is one front door.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from graphbus_core.contracts.loaders.json_yaml import parse_document
from graphbus_core.contracts.loaders.loader import LoadedContract, LoadResult, build_folder_loader, read_file
from graphbus_core.contracts.loaders.openapi import ApiPart, follow_reference
from graphbus_core.contracts.parsing.json_schema import NOWHERE, decode_pointer_part, follow_pointer, walk_schemas
from graphbus_core.errors import ConfigError, ContractError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import Schema, SchemaMethod
from graphbus_core.model.topic import Publication, Subscription, Topic
from graphbus_core.suggestions import suggest_names

DOCUMENTS = ("openapi", "asyncapi", "swagger", "schema", "api", "spec", "index")  # a file of such a name says nothing
NODE = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class ExternalComponent:
    """One file. `node` is what it stands for in the graph; `path` and `digest` say which bytes that was."""

    path: Path
    digest: str
    node: AgentDefinition


def read_external(entries: Sequence[str], root: Path, source: str, seen_from: Path) -> tuple[ExternalComponent, ...]:
    """The files of the setting `external`: `path`, or `Name=path`. Raises ConfigError, which says what is wrong where.

    `seen_from` is the scan's root, which paths of nodes are relative to.
    """
    components: dict[str, ExternalComponent] = {}
    for entry in entries:
        name, separator, location = entry.partition("=") if "=" in entry else ("", "", entry)
        path = root / location.strip()
        try:
            data = path.read_bytes()
        except OSError as e:
            raise ConfigError(f"{source}: external {location!r}: {path} cannot be read: {e.strerror}.") from None
        if separator and not NODE.fullmatch(name.strip()):
            raise ConfigError(
                f"{source}: external {entry!r}: {name.strip()!r} is not a name of a node; write Name=path."
            )
        try:
            node = _build_node(path, name.strip(), Path(os.path.relpath(path, seen_from)).as_posix())
        except ContractError as e:
            raise ConfigError(f"{source}: external {location!r}: {e}") from None
        if node.name in components:
            raise ConfigError(
                f"{source}: external {location!r} and {components[node.name].path.name} are both {node.name}. "
                "Name one of them: Name=path."
            )
        components[node.name] = ExternalComponent(path, sha256(data).hexdigest(), node)
    return tuple(components.values())


def apply_feeds(
    nodes: Sequence[AgentDefinition], fed: Mapping[str, tuple[tuple[str, ...], str]]
) -> tuple[AgentDefinition, ...]:
    """The nodes, with whose output each method takes (`Node.method` -> names and place). Raises ConfigError."""
    method_names = {f"{node.name}.{method.name}" for node in nodes for method in node.methods}
    for name, (_, place) in fed.items():
        if name not in method_names:
            near = suggest_names(name, sorted(method_names), sure=True)
            hint = f" Did you mean {near[0]}?" if near else " Name its file in `external` of [tool.graphbus]."
            raise ConfigError(f"{place}: there is no external {name}.{hint}")
    return tuple(
        replace(
            node,
            methods=tuple(replace(m, depends_on=fed.get(f"{node.name}.{m.name}", ((), ""))[0]) for m in node.methods),
        )
        for node in nodes
    )


def _build_node(path: Path, name: str, source_file: str) -> AgentDefinition:
    read = read_file(path.name, build_folder_loader(path.parent), path.parent)
    document = parse_document(path.read_bytes(), path.name)
    name = name or _derive_name(path, document)
    reading = _DocumentReader(name, document, read)
    if isinstance(document, dict) and isinstance(document.get("asyncapi"), str):
        kind, methods, subscriptions, sent = "AsyncAPI", *reading.read_asyncapi()
    elif isinstance(document, dict) and ("openapi" in document or "swagger" in document):
        kind, methods, subscriptions, sent = "OpenAPI", tuple(reading.read_openapi()), (), ()
    else:
        kind, methods, subscriptions, sent = "JSON Schema", (reading.read_schema(read),), (), ()
    if not methods and not sent:
        raise ContractError(f"{path.name} is {kind} without an operation; there is nothing to hold against.")
    return AgentDefinition(
        name=name,
        module=f"external.{name}",
        class_name=name,
        source_file=source_file,
        source_code="",
        system_prompt=SystemPrompt(_read_description(document)),
        methods=methods,
        subscriptions=subscriptions,
        publications=sent,
        depends_on=(),
        metadata={"external": kind, "lineno": 1, "end_lineno": 1, "is_arbiter": False, "model": None, "hinted": []},
    )


def _derive_name(path: Path, document: Any) -> str:
    """The file's own name as a node's; where that says nothing, the title that the document gives itself."""
    stem = path.name.partition(".")[0]
    info = document.get("info") if isinstance(document, dict) else None
    title = info.get("title") if isinstance(info, dict) else None
    words = re.findall(r"\w+", str(title) if title and stem.lower() in DOCUMENTS else stem)
    name = "".join(word[:1].upper() + word[1:] for part in words for word in part.split("_") if word)
    return name if NODE.fullmatch(name) else f"External{name}"


def _read_description(document: Any) -> str:
    info = document.get("info") if isinstance(document, dict) else None
    text = info.get("description") if isinstance(info, dict) else None
    return str(text or "")[:2_000]


class _DocumentReader:
    """One document being read."""

    def __init__(self, name: str, document: Any, read: LoadResult) -> None:
        self.name, self.document, self.read = name, document, read

    def read_schema(self, read: LoadResult) -> SchemaMethod:
        """The one contract of a file of JSON Schema; of a published version, both of its sides."""
        produced = read.items[""]
        consumed = read.items.get("consumer", produced)
        return SchemaMethod(
            "payload",
            Schema(dict(_coerce_object(consumed.schema))),
            Schema(dict(_coerce_object(produced.schema))),
            lineno=produced.find_line(""),
        )

    # ---- OpenAPI

    def read_openapi(self) -> Iterator[SchemaMethod]:
        """A method an operation. Callbacks are left out: who is called back is known to the caller alone."""
        inputs, outputs = self.read.items["input"], self.read.items["output"]
        names: set[str] = set()
        for key, part in sorted(
            {**inputs.parts, **outputs.parts}.items(), key=lambda keyed_part: inputs.find_line(keyed_part[1].pointer)
        ):
            if not part.whole or " callback " in key:
                continue
            operation = follow_pointer(self.document, part.pointer)
            operation = {} if operation is NOWHERE or not isinstance(operation, dict) else operation
            name = _name_method(str(operation.get("operationId") or key), names)
            hook = " webhook " in key
            yield SchemaMethod(
                name,
                None if hook else self._read_request(inputs, key),
                self._read_body(outputs, key) if hook else self._read_response(outputs, key),
                operation.get("summary") or operation.get("description"),
                lineno=inputs.lines.find_line(part.pointer),
                metadata={"operation": key},
            )

    def _read_request(self, item: LoadedContract, key: str) -> Schema | None:
        """Parameters by their names, and the fields of the body, as one object; any other body is `body`."""
        parameter_part = item.parts.get(f"{key} parameters")
        parameters = parameter_part.schema if parameter_part is not None else {}
        body = self._read_body(item, key)
        fields, needed = {}, []
        for field, schema in parameters.get("properties", {}).items():
            place, _, name = field.partition(" ")
            if place in ("query", "path") and name:  # headers and cookies are the transport's business
                fields[name] = schema
                needed += [name] if field in parameters.get("required", ()) else []
        if body is None:
            return self._add_definitions(item, {"type": "object", "properties": fields, "required": needed})
        if not fields:
            return body
        whole = dict(body.json_schema)
        inner = _resolve_root(whole)
        clash = fields.keys() & inner.get("properties", {}).keys()
        if inner.get("type") != "object" or clash or set(inner) - {"type", "properties", "required", "description"}:
            fields["body"] = {k: v for k, v in whole.items() if k != "$defs"}
            needed += ["body"] if "body" in parameters.get("required", ()) else []
        else:
            fields |= inner.get("properties", {})
            needed += inner.get("required", ()) if "body" in parameters.get("required", ()) else ()
        return self._add_definitions(item, {"type": "object", "properties": fields, "required": needed})

    def _read_response(self, item: LoadedContract, key: str) -> Schema | None:
        """What comes back where all went well; one of them, where there are several."""
        schemas = [
            part.schema
            for name, part in item.parts.items()
            if re.match(rf"{re.escape(key)} (2\w\w|default) \S*json", name)
        ]
        return self._combine_schemas(item, schemas)

    def _read_body(self, item: LoadedContract, key: str) -> Schema | None:
        schemas = [p.schema for name, p in item.parts.items() if re.match(rf"{re.escape(key)} body \S*json", name)]
        return self._combine_schemas(item, schemas)

    # ---- AsyncAPI

    def read_asyncapi(self) -> tuple[tuple[SchemaMethod, ...], tuple[Subscription, ...], tuple[Publication, ...]]:
        """What is received has a method that hears it; what is sent is published to its channel's address."""
        inputs, outputs = self.read.items["input"], self.read.items["output"]
        methods: list[SchemaMethod] = []
        subscriptions: list[Subscription] = []
        sent: list[Publication] = []
        names: set[str] = set()
        for item in (inputs, outputs):
            for key, part in item.parts.items():
                operation = follow_pointer(self.document, part.pointer) if part.whole else NOWHERE
                if not part.whole or key.partition(" ")[0] != ("receive" if item is inputs else "send"):
                    continue
                topic = Topic(self._read_address(operation, part))
                schema = self._combine_schemas(item, _list_payloads(item.parts, key))
                line = item.lines.find_line(part.pointer)
                if item is outputs:
                    sent.append(Publication(self.name, topic, schema, None, line))
                else:
                    name = _name_method(key.partition(" ")[2], names)
                    methods.append(SchemaMethod(name, schema, None, lineno=line, metadata={"operation": key}))
                    subscriptions.append(Subscription(self.name, topic, name))
        return tuple(methods), tuple(subscriptions), tuple(sent)

    def _read_address(self, operation: Any, part: ApiPart) -> str:
        channel = (
            follow_reference(self.document, operation.get("channel"), self.name)
            if isinstance(operation, dict)
            else None
        )
        address = channel.get("address") if isinstance(channel, dict) else None
        ref = str(operation.get("channel", {}).get("$ref", "")) if isinstance(operation, dict) else ""
        # Our topics begin with a slash; brokers' addresses mostly do not.
        return "/" + str(address or ref.rpartition("/")[2] or part.pointer.rpartition("/")[2]).lstrip("/")

    # ---- schemas

    def _combine_schemas(self, item: LoadedContract, schemas: Sequence[Any]) -> Schema | None:
        some = [json.loads(text) for text in dict.fromkeys(json.dumps(schema, sort_keys=False) for schema in schemas)]
        if not some:
            return None
        return self._add_definitions(item, some[0] if len(some) == 1 else {"anyOf": some})

    def _add_definitions(self, item: LoadedContract, schema: Any) -> Schema | None:
        if not isinstance(schema, dict):  # `true`: anything, which is not a contract
            return None
        definitions = item.schema.get("$defs", {})
        used = _collect_definitions(schema, definitions)
        return Schema({**schema, **({"$defs": used} if used else {})})


def _collect_definitions(schema: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The definitions that a schema leads to: a document's hundreds do not stand in every operation's contract."""
    used: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        for _, value in walk_schemas(waiting.pop()):
            ref = value.get("$ref") if isinstance(value, dict) else None
            if isinstance(ref, str) and ref.startswith("#/$defs/"):
                name = decode_pointer_part(ref.removeprefix("#/$defs/").partition("/")[0])
                if name in definitions and name not in used:
                    used[name] = definitions[name]
                    waiting.append(definitions[name])
    return used


def _coerce_object(schema: Any) -> Mapping[str, Any]:
    return schema if isinstance(schema, dict) else {}


def _resolve_root(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record that a reference at the root leads to."""
    ref = schema.get("$ref")
    resolved = follow_pointer(schema, ref) if isinstance(ref, str) and ref.startswith("#/") else schema
    return resolved if isinstance(resolved, dict) else {}


def _list_payloads(parts: Mapping[str, ApiPart], key: str) -> list[Any]:
    return [
        part.schema
        for name, part in parts.items()
        if not part.whole and name.startswith(f"{key} ") and not name.endswith(" headers")
    ]


def _name_method(operation_name: str, used_names: set[str]) -> str:
    """`POST /carts/{id}` -> post_carts_id; each name once."""
    words = re.findall(r"\w+", operation_name)
    plain = words[0] if len(words) == 1 else "_".join(words).lower()
    name = plain if not plain[:1].isdigit() else f"op_{plain}"
    number = 2
    while name in used_names:
        name, number = f"{plain}_{number}", number + 1
    used_names.add(name)
    return name
