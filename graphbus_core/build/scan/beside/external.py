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

from graphbus_core.contracts.front.components import Part, target
from graphbus_core.contracts.front.door import Item, Read, disk, read_file
from graphbus_core.contracts.front.text import parse
from graphbus_core.contracts.reading.walk import NOWHERE, everything, follow, unescaped
from graphbus_core.errors import ConfigError, ContractError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import Schema, SchemaMethod
from graphbus_core.model.topic import Publication, Subscription, Topic
from graphbus_core.nearest import near_names

DOCUMENTS = ("openapi", "asyncapi", "swagger", "schema", "api", "spec", "index")  # a file of such a name says nothing
NODE = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class External:
    """One file. `node` is what it stands for in the graph; `path` and `digest` say which bytes that was."""

    path: Path
    digest: str
    node: AgentDefinition


def read_external(named: Sequence[str], root: Path, source: str, seen_from: Path) -> tuple[External, ...]:
    """The files of the setting `external`: `path`, or `Name=path`. Raises ConfigError, which says what is wrong where.

    `seen_from` is the scan's root, which paths of nodes are relative to.
    """
    found: dict[str, External] = {}
    for one in named:
        name, given, written = one.partition("=") if "=" in one else ("", "", one)
        path = root / written.strip()
        try:
            data = path.read_bytes()
        except OSError as e:
            raise ConfigError(f"{source}: external {written!r}: {path} cannot be read: {e.strerror}.") from None
        if given and not NODE.fullmatch(name.strip()):
            raise ConfigError(f"{source}: external {one!r}: {name.strip()!r} is not a name of a node; write Name=path.")
        try:
            made = _node(path, name.strip(), Path(os.path.relpath(path, seen_from)).as_posix())
        except ContractError as e:
            raise ConfigError(f"{source}: external {written!r}: {e}") from None
        if made.name in found:
            raise ConfigError(
                f"{source}: external {written!r} and {found[made.name].path.name} are both {made.name}. "
                "Name one of them: Name=path."
            )
        found[made.name] = External(path, sha256(data).hexdigest(), made)
    return tuple(found.values())


def fed_by(
    nodes: Sequence[AgentDefinition], fed: Mapping[str, tuple[tuple[str, ...], str]]
) -> tuple[AgentDefinition, ...]:
    """The nodes, with whose output each method takes (`Node.method` -> names and place). Raises ConfigError."""
    known = {f"{node.name}.{method.name}" for node in nodes for method in node.methods}
    for name, (_, place) in fed.items():
        if name not in known:
            near = near_names(name, sorted(known), sure=True)
            hint = f" Did you mean {near[0]}?" if near else " Name its file in `external` of [tool.graphbus]."
            raise ConfigError(f"{place}: there is no external {name}.{hint}")
    return tuple(
        replace(
            node,
            methods=tuple(replace(m, depends_on=fed.get(f"{node.name}.{m.name}", ((), ""))[0]) for m in node.methods),
        )
        for node in nodes
    )


def _node(path: Path, name: str, source_file: str) -> AgentDefinition:
    read = read_file(path.name, disk(path.parent), path.parent)
    document = parse(path.read_bytes(), path.name)
    name = name or _name_of(path, document)
    reading = _Reading(name, document, read)
    if isinstance(document, dict) and isinstance(document.get("asyncapi"), str):
        kind, methods, heard, sent = "AsyncAPI", *reading.asyncapi()
    elif isinstance(document, dict) and ("openapi" in document or "swagger" in document):
        kind, methods, heard, sent = "OpenAPI", tuple(reading.openapi()), (), ()
    else:
        kind, methods, heard, sent = "JSON Schema", (reading.schema(read),), (), ()
    if not methods and not sent:
        raise ContractError(f"{path.name} is {kind} without an operation; there is nothing to hold against.")
    return AgentDefinition(
        name=name,
        module=f"external.{name}",
        class_name=name,
        source_file=source_file,
        source_code="",
        system_prompt=SystemPrompt(_about(document)),
        methods=methods,
        subscriptions=heard,
        publications=sent,
        depends_on=(),
        metadata={"external": kind, "lineno": 1, "end_lineno": 1, "is_arbiter": False, "model": None, "hinted": []},
    )


def _name_of(path: Path, document: Any) -> str:
    """The file's own name as a node's; where that says nothing, the title that the document gives itself."""
    stem = path.name.partition(".")[0]
    info = document.get("info") if isinstance(document, dict) else None
    title = info.get("title") if isinstance(info, dict) else None
    words = re.findall(r"\w+", str(title) if title and stem.lower() in DOCUMENTS else stem)
    name = "".join(word[:1].upper() + word[1:] for part in words for word in part.split("_") if word)
    return name if NODE.fullmatch(name) else f"External{name}"


def _about(document: Any) -> str:
    info = document.get("info") if isinstance(document, dict) else None
    text = info.get("description") if isinstance(info, dict) else None
    return str(text or "")[:2_000]


class _Reading:
    """One document being read."""

    def __init__(self, name: str, document: Any, read: Read) -> None:
        self.name, self.document, self.read = name, document, read

    def schema(self, read: Read) -> SchemaMethod:
        """The one contract of a file of JSON Schema; of a published version, both of its sides."""
        given = read.items[""]
        taken = read.items.get("consumer", given)
        return SchemaMethod(
            "payload", Schema(dict(_object(taken.schema))), Schema(dict(_object(given.schema))), lineno=given.line("")
        )

    # ---- OpenAPI

    def openapi(self) -> Iterator[SchemaMethod]:
        """A method an operation. Callbacks are left out: who is called back is known to the caller alone."""
        taken, given = self.read.items["input"], self.read.items["output"]
        names: set[str] = set()
        for key, part in sorted({**taken.parts, **given.parts}.items(), key=lambda one: taken.line(one[1].pointer)):
            if not part.whole or " callback " in key:
                continue
            operation = follow(self.document, part.pointer)
            operation = {} if operation is NOWHERE or not isinstance(operation, dict) else operation
            name = _method_name(str(operation.get("operationId") or key), names)
            hook = " webhook " in key
            yield SchemaMethod(
                name,
                None if hook else self._request(taken, key),
                self._body(given, key) if hook else self._answer(given, key),
                operation.get("summary") or operation.get("description"),
                lineno=taken.lines.of(part.pointer),
                metadata={"operation": key},
            )

    def _request(self, item: Item, key: str) -> Schema | None:
        """Parameters by their names, and the fields of the body, as one object; a body that is none is `body`."""
        told = item.parts.get(f"{key} parameters")
        parameters = told.schema if told is not None else {}
        body = self._body(item, key)
        fields, needed = {}, []
        for field, schema in parameters.get("properties", {}).items():
            place, _, name = field.partition(" ")
            if place in ("query", "path") and name:  # headers and cookies are the transport's business
                fields[name] = schema
                needed += [name] if field in parameters.get("required", ()) else []
        if body is None:
            return self._with_definitions(item, {"type": "object", "properties": fields, "required": needed})
        if not fields:
            return body
        whole = dict(body.json_schema)
        inner = _led(whole)
        clash = fields.keys() & inner.get("properties", {}).keys()
        if inner.get("type") != "object" or clash or set(inner) - {"type", "properties", "required", "description"}:
            fields["body"] = {k: v for k, v in whole.items() if k != "$defs"}
            needed += ["body"] if "body" in parameters.get("required", ()) else []
        else:
            fields |= inner.get("properties", {})
            needed += inner.get("required", ()) if "body" in parameters.get("required", ()) else ()
        return self._with_definitions(item, {"type": "object", "properties": fields, "required": needed})

    def _answer(self, item: Item, key: str) -> Schema | None:
        """What comes back where all went well; one of them, where there are several."""
        found = [
            part.schema
            for name, part in item.parts.items()
            if re.match(rf"{re.escape(key)} (2\w\w|default) \S*json", name)
        ]
        return self._one_of(item, found)

    def _body(self, item: Item, key: str) -> Schema | None:
        found = [p.schema for name, p in item.parts.items() if re.match(rf"{re.escape(key)} body \S*json", name)]
        return self._one_of(item, found)

    # ---- AsyncAPI

    def asyncapi(self) -> tuple[tuple[SchemaMethod, ...], tuple[Subscription, ...], tuple[Publication, ...]]:
        """What is received has a method that hears it; what is sent is published to its channel's address."""
        taken, given = self.read.items["input"], self.read.items["output"]
        methods: list[SchemaMethod] = []
        heard: list[Subscription] = []
        sent: list[Publication] = []
        names: set[str] = set()
        for item in (taken, given):
            for key, part in item.parts.items():
                operation = follow(self.document, part.pointer) if part.whole else NOWHERE
                if not part.whole or key.partition(" ")[0] != ("receive" if item is taken else "send"):
                    continue
                topic = Topic(self._address(operation, part))
                schema = self._one_of(item, _payloads(item.parts, key))
                line = item.lines.of(part.pointer)
                if item is given:
                    sent.append(Publication(self.name, topic, schema, None, line))
                else:
                    name = _method_name(key.partition(" ")[2], names)
                    methods.append(SchemaMethod(name, schema, None, lineno=line, metadata={"operation": key}))
                    heard.append(Subscription(self.name, topic, name))
        return tuple(methods), tuple(heard), tuple(sent)

    def _address(self, operation: Any, part: Part) -> str:
        channel = target(self.document, operation.get("channel"), self.name) if isinstance(operation, dict) else None
        said = channel.get("address") if isinstance(channel, dict) else None
        ref = str(operation.get("channel", {}).get("$ref", "")) if isinstance(operation, dict) else ""
        # Our topics begin with a slash; brokers' addresses mostly do not.
        return "/" + str(said or ref.rpartition("/")[2] or part.pointer.rpartition("/")[2]).lstrip("/")

    # ---- schemas

    def _one_of(self, item: Item, found: Sequence[Any]) -> Schema | None:
        some = [json.loads(text) for text in dict.fromkeys(json.dumps(one, sort_keys=False) for one in found)]
        if not some:
            return None
        return self._with_definitions(item, some[0] if len(some) == 1 else {"anyOf": some})

    def _with_definitions(self, item: Item, schema: Any) -> Schema | None:
        if not isinstance(schema, dict):  # `true`: anything, which is not a contract
            return None
        definitions = item.schema.get("$defs", {})
        used = _reached(schema, definitions)
        return Schema({**schema, **({"$defs": used} if used else {})})


def _reached(schema: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The definitions that a schema leads to: a document's hundreds do not stand in every operation's contract."""
    found: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        for _, one in everything(waiting.pop()):
            ref = one.get("$ref") if isinstance(one, dict) else None
            if isinstance(ref, str) and ref.startswith("#/$defs/"):
                name = unescaped(ref.removeprefix("#/$defs/").partition("/")[0])
                if name in definitions and name not in found:
                    found[name] = definitions[name]
                    waiting.append(definitions[name])
    return found


def _object(schema: Any) -> Mapping[str, Any]:
    return schema if isinstance(schema, dict) else {}


def _led(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record that a reference at the root leads to."""
    ref = schema.get("$ref")
    found = follow(schema, ref) if isinstance(ref, str) and ref.startswith("#/") else schema
    return found if isinstance(found, dict) else {}


def _payloads(parts: Mapping[str, Part], key: str) -> list[Any]:
    return [
        part.schema
        for name, part in parts.items()
        if not part.whole and name.startswith(f"{key} ") and not name.endswith(" headers")
    ]


def _method_name(said: str, taken: set[str]) -> str:
    """`POST /carts/{id}` -> post_carts_id; each name once."""
    words = re.findall(r"\w+", said)
    plain = words[0] if len(words) == 1 else "_".join(words).lower()
    name = plain if not plain[:1].isdigit() else f"op_{plain}"
    number = 2
    while name in taken:
        name, number = f"{plain}_{number}", number + 1
    taken.add(name)
    return name
