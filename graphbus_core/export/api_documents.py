"""AsyncAPI 3.0: topics and direct calls as channels, who sends and who receives as operations, contracts as messages.

A subscription to a pattern (`/Order/*`) is a receive operation on every topic of the build that it matches; where it
matches none, on a channel whose address has a parameter for each star.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from graphbus_core.analysis.files import find_root
from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.contracts.parsing.json_schema import DATA, DRAFT7, SCHEMA_MAPS, SINCE
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.field_mapping import FieldMapping
from graphbus_core.model.topic import Subscription
from graphbus_core.runtime.topics import matches
from graphbus_core.text import format_count


def _read_project_name(build: ArtifactFolder) -> str:
    """What the project around a build is called: as its pyproject.toml says, else as its folder is named."""
    root = find_root(build.path.resolve().parent)
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8")).get("project")
    except (OSError, ValueError):  # none, or one that cannot be read
        project = None
    name = project.get("name") if isinstance(project, dict) else None
    return name if isinstance(name, str) and name else root.name or "GraphBus"


# Contracts inside a larger document: names for components, and references that still point to what they meant.


# What draft-07 tools pass over without a word: a contract that uses one would promise less than it does.
_SINCE_2019 = {"$dynamicRef", "$anchor"} | {key for key, since in SINCE.items() if since > DRAFT7}


class ComponentNames:
    """Names that keys of components may have (letters, digits, `_`, `-`), one for each thing, the same each time."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()

    def assign(self, thing: str) -> str:
        """`/Order/Created` -> `Order-Created`; another thing that would have that name gets a number."""
        if thing not in self._given:
            plain = re.sub(r"[^A-Za-z0-9_-]+", "-", thing).strip("-") or "any"
            name, number = plain, 1
            # A counter and not a hash: names are read by people, and the same build counts in the same order.
            while name in self._taken:
                number += 1
                name = f"{plain}-{number}"
            self._given[thing] = name
            self._taken.add(name)
        return self._given[thing]


def place_schema(schema: Mapping[str, Any] | None, pointer: str) -> dict[str, Any]:
    """The contract as it may stand at `at` (`#/components/schemas/X`): its own `#/$defs/…` are found from there.

    A contract that was not declared allows any object.
    """
    if schema is None:
        # Any object, because that is what the runtime takes there; `{}` would also allow a number.
        return {"type": "object", "description": "Not declared."}
    moved: dict[str, Any] = _move_references(dict(schema), pointer)
    return moved


def _move_references(value: Any, pointer: str, names: bool = False) -> Any:
    """`names` says that the keys are names somebody chose: a field may be called `default`."""
    if isinstance(value, Mapping):
        return {
            key: pointer + inner[1:]
            if key == "$ref" and isinstance(inner, str) and inner.startswith("#")
            # Data is not schema: a value that has the key `$ref` must reach the reader as it was written.
            else (
                inner
                if key in DATA and not names
                else _move_references(inner, pointer, key in SCHEMA_MAPS and not names)
            )
            for key, inner in value.items()
        }
    return [_move_references(inner, pointer) for inner in value] if isinstance(value, list) else value


def needs_2020_12(schema: Any) -> bool:
    """Whether a tool that knows draft-07 alone would read less out of the contract than it says."""
    if isinstance(schema, Mapping):
        return not _SINCE_2019.isdisjoint(schema) or any(map(needs_2020_12, schema.values()))
    return any(map(needs_2020_12, schema)) if isinstance(schema, list) else False


def render_json(document: Mapping[str, Any]) -> str:
    """The document as people read it; the same build gives the same bytes."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


ASYNCAPI_VERSION = "3.0.0"
JSON_SCHEMA_2020_12 = "application/schema+json;version=draft-2020-12"


def build_asyncapi(build: ArtifactFolder) -> dict[str, Any]:
    """The document, as data. Raises ArtifactError."""
    return _AsyncApiBuilder(build).build()


class _AsyncApiBuilder:
    def __init__(self, build: ArtifactFolder) -> None:
        self._build = build
        self._names = ComponentNames()
        self._channels: dict[str, Any] = {}
        self._operations: dict[str, Any] = {}
        self._messages: dict[str, Any] = {}
        self._schemas: dict[str, Any] = {}

    def build(self) -> dict[str, Any]:
        self._add_topics()
        self._add_calls()
        return {
            "asyncapi": ASYNCAPI_VERSION,
            "info": {
                "title": _read_project_name(self._build),
                # The build and not a version of the API: two documents of one build must be equal, and of two builds
                # told apart.
                "version": str(self._build.summary.get("build_id") or self._build.manifest.graphbus_version),
                "description": f"{format_count(len(self._build.agents), 'node')}, as built.",
            },
            "defaultContentType": "application/json",
            "channels": self._channels,
            "operations": self._operations,
            "components": {"schemas": self._schemas, "messages": self._messages},
        }

    def _add_topics(self) -> None:
        for topic in self._build.topics:
            name, schema = topic["name"], topic["schema"]
            # A pattern is nobody's address. It becomes a channel below, and only where no topic stands for it.
            if "*" not in name:
                self._add_topic(name, schema["json_schema"] if schema else None)
        for publication in self._build.publications:
            doer = f"{publication.node_name}.{publication.method}" if publication.method else publication.node_name
            self._add_operation("send", publication.topic.name, doer, f"{doer} publishes to {publication.topic}.")
        topic_names = [topic["name"] for topic in self._build.topics if "*" not in topic["name"]]
        for subscription in self._build.subscriptions:
            doer, pattern = f"{subscription.node_name}.{subscription.handler_name}", subscription.topic.name
            # Receivers of a pattern are told topic by topic: AsyncAPI 3 has no wildcard, and tools join operations by
            # channel.
            for name in [name for name in topic_names if matches(pattern, name)] or [pattern]:
                operation = self._add_operation("receive", name, doer, f"{doer} handles events of {pattern}.")
                if subscription.mapping is not None:
                    operation["x-graphbus-mapping"] = self._describe_mapping(subscription, subscription.mapping)

    def _add_topic(self, name: str, schema: Mapping[str, Any] | None) -> str:
        """The key of the topic's channel, which is made where there is none."""
        key = self._names.assign(name)
        if key not in self._channels:
            message = self._add_message(name, f"event {name}", schema)
            self._channels[key] = {
                "address": _render_address(name),
                "title": name,
                "messages": {message: _build_message_ref(message)},
            }
            if stars := dict(_name_wildcards(name)):
                self._channels[key]["parameters"] = {
                    star: {"description": "One word of the topic." if what == "*" else "Any words of the topic."}
                    for star, what in stars.items()
                }
        return key

    def _add_calls(self) -> None:
        for agent in self._build.agents:
            for method in agent.methods:
                name = f"{agent.name}.{method.name}"
                output_schema = method.output_schema
                key = self._names.assign(f"call {name}")
                # Both directions on one channel: that is how AsyncAPI 3 tells a reply, and tools draw it as one call.
                request_name = self._add_message(f"{name}.request", f"call of {name}", method.arguments_schema)
                reply_name = self._add_message(
                    f"{name}.reply", f"result of {name}", output_schema.json_schema if output_schema else None
                )
                self._channels[key] = {
                    "address": name,
                    "title": name,
                    "description": method.description or f"Direct calls of {name}.",
                    "messages": {
                        message_name: _build_message_ref(message_name) for message_name in (request_name, reply_name)
                    },
                }
                self._operations[self._names.assign(f"answer {name}")] = {
                    "action": "receive",
                    "channel": {"$ref": f"#/channels/{key}"},
                    "summary": f"{agent.name} answers calls of {method.name}.",
                    "messages": [{"$ref": f"#/channels/{key}/messages/{request_name}"}],
                    "reply": {
                        "channel": {"$ref": f"#/channels/{key}"},
                        "messages": [{"$ref": f"#/channels/{key}/messages/{reply_name}"}],
                    },
                }

    def _describe_mapping(self, subscription: Subscription, mapping: FieldMapping) -> dict[str, Any]:
        """What stands between the message of the channel and what the handler takes, with the schema of the latter."""
        description: dict[str, Any] = {"map": dict(mapping.fields)}
        if mapping.conversions:
            description["convert"] = {field: made.function for field, made in mapping.conversions.items()}
        agent = next(agent for agent in self._build.agents if agent.name == subscription.node_name)
        method = agent.method(subscription.handler_name)
        if method is not None and method.input_schema is not None:
            name = self._names.assign(f"{agent.name}.{method.name} takes")
            self._schemas[name] = place_schema(method.input_schema.json_schema, f"#/components/schemas/{name}")
            description["takes"] = {"$ref": f"#/components/schemas/{name}"}
        return description

    def _add_operation(self, action: str, topic: str, doer: str, summary: str) -> dict[str, Any]:
        key = self._add_topic(topic, None)
        operation = {"action": action, "channel": {"$ref": f"#/channels/{key}"}, "summary": summary}
        self._operations[self._names.assign(f"{doer} {action}s {topic}")] = operation
        return operation

    def _add_message(self, thing: str, summary: str, schema: Mapping[str, Any] | None) -> str:
        name = self._names.assign(f"message {thing}")
        pointer = f"#/components/schemas/{name}"
        # Where the schema will stand decides what its own references mean, so it is moved before it is named.
        contract = place_schema(schema, f"{pointer}/schema" if needs_2020_12(schema) else pointer)
        if needs_2020_12(schema):
            contract = {"schemaFormat": JSON_SCHEMA_2020_12, "schema": contract}
        self._schemas[name] = contract
        self._messages[name] = {"name": thing, "summary": summary, "payload": {"$ref": pointer}}
        return name


def _build_message_ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/messages/{name}"}


def _name_wildcards(topic: str) -> Iterator[tuple[str, str]]:
    # Each star needs a name of its own, because parameters of an address are a map: two equal names would be one.
    for number, word in enumerate(topic.split("/")):
        if "*" in word:
            yield f"word{number}", word


def _render_address(topic: str) -> str:
    stars = {what: star for star, what in _name_wildcards(topic)}
    return "/".join(f"{{{stars[word]}}}" if word in stars else word for word in topic.split("/"))


# OpenAPI 3.1: the calls and events of a build, as `graphbus serve` answers them over HTTP.
#
# One path a node (`POST /nodes/Greeter/call`), because the server has it so: the body names the method, and the
# document says which payload goes with which method.


OPENAPI_VERSION = "3.1.0"
DEFAULT_SERVER = "http://127.0.0.1:8420"  # where `graphbus serve` listens unless told


def build_openapi(build: ArtifactFolder, server: str = DEFAULT_SERVER) -> dict[str, Any]:
    """The document, as data; `server`: the address of the `graphbus serve` that answers. Raises ArtifactError."""
    names = ComponentNames()
    schemas: dict[str, Any] = {"Failure": _FAILURE}
    # Taken before any node can have it: a class called Failure gets `Failure-2`.
    names.assign("Failure")
    paths = {
        f"/nodes/{agent.name}/call": _build_call_path(agent, names, schemas) for agent in build.agents if agent.methods
    }
    topics = {t["name"]: t["schema"] for t in build.topics if "*" not in t["name"]}
    if topics:
        paths["/publish"] = _build_publish_path(topics, names, schemas)
    return {
        "openapi": OPENAPI_VERSION,
        # 3.1 because its schemas are JSON Schema 2020-12, as contracts are: nothing has to be translated or left out.
        "info": {
            "title": _read_project_name(build),
            "version": str(build.summary.get("build_id") or build.manifest.graphbus_version),
            "description": "Calls and events of a build, as `graphbus serve` answers them.",
        },
        "servers": [{"url": server, "description": "graphbus serve"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _build_call_path(agent: AgentDefinition, names: ComponentNames, schemas: dict[str, Any]) -> dict[str, Any]:
    bodies, results = [], []
    for method in agent.methods:
        name = f"{agent.name}.{method.name}"
        # Input and output get names of their own: one method may take and give the same field with other limits.
        arguments, output_schema = method.arguments_schema, method.output_schema
        payload = _add_component(f"{name}.input", arguments, names, schemas)
        bodies.append(
            {
                "type": "object",
                "title": name,
                "required": ["method"] + (["payload"] if (arguments or {}).get("required") else []),
                "properties": {
                    "method": {"const": method.name},
                    "payload": payload,
                    "timeout_s": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 600},
                },
                # The server refuses unknown keys, so a client generated from this must not be allowed to send them.
                "additionalProperties": False,
            }
        )
        if output_schema is not None:
            results.append(_add_component(f"{name}.output", output_schema.json_schema, names, schemas))
        elif {} not in results:
            # An undeclared result may be anything. Once is enough: `{}` twice says no more.
            results.append({})
    answer = {"type": "object", "required": ["result"], "properties": {"result": {"anyOf": results}}}
    # `oneOf` with a constant method: generators make one class a call out of it, and a wrong pair fails to validate.
    return _build_post(names.assign(f"call {agent.name}"), f"Call a method of {agent.name}.", {"oneOf": bodies}, answer)


def _build_publish_path(topics: Mapping[str, Any], names: ComponentNames, schemas: dict[str, Any]) -> dict[str, Any]:
    bodies = []
    for topic, schema in topics.items():
        payload = _add_component(f"event {topic}", schema["json_schema"] if schema else None, names, schemas)
        bodies.append(
            {
                "type": "object",
                "title": topic,
                "required": ["topic"],
                "properties": {"topic": {"const": topic}, "payload": payload, "source": {"type": "string"}},
                "additionalProperties": False,
            }
        )
    answer = {"type": "object", "required": ["event_id"], "properties": {"event_id": {"type": "string"}}}
    return _build_post(names.assign("publish"), "Publish an event.", {"oneOf": bodies}, answer)


def _add_component(
    thing: str, schema: Mapping[str, Any] | None, names: ComponentNames, schemas: dict[str, Any]
) -> dict[str, str]:
    name = names.assign(thing)
    pointer = f"#/components/schemas/{name}"
    schemas[name] = place_schema(schema, pointer)
    return {"$ref": pointer}


def _build_post(operation: str, summary: str, body: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    failure = {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}}
    return {
        "post": {
            "operationId": operation,
            "summary": summary,
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {
                "200": {"description": "Done.", "content": {"application/json": {"schema": answer}}},
                # Failures share a form over all codes, so `default` is exact, and a list of codes would go stale.
                "default": {"description": "Not done; `error` says why.", "content": failure},
            },
        }
    }


_FAILURE: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "path": {"type": ["string", "null"]},
            },
        }
    },
}
