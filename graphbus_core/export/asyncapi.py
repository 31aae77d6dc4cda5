"""AsyncAPI 3.0: topics and direct calls as channels, who sends and who receives as operations, contracts as messages.

A subscription to a pattern (`/Order/*`) is a receive operation on every topic of the build that it matches; where it
matches none, on a channel whose address has a parameter for each star.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.export.schemas import ComponentNames, needs_2020_12, placed
from graphbus_core.runtime.handling.topics import matches
from graphbus_core.shown import counted

VERSION = "3.0.0"
JSON_SCHEMA_2020_12 = "application/schema+json;version=draft-2020-12"


def asyncapi(build: ArtifactFolder) -> dict[str, Any]:
    """The document, as data. Raises ArtifactError."""
    return _Document(build).made()


class _Document:
    def __init__(self, build: ArtifactFolder) -> None:
        self._build = build
        self._names = ComponentNames()
        self._channels: dict[str, Any] = {}
        self._operations: dict[str, Any] = {}
        self._messages: dict[str, Any] = {}
        self._schemas: dict[str, Any] = {}

    def made(self) -> dict[str, Any]:
        self._topics()
        self._calls()
        return {
            "asyncapi": VERSION,
            "info": {
                "title": "GraphBus",
                # The build and not a version of the API: two documents of one build must be equal, and of two builds
                # told apart.
                "version": str(self._build.summary.get("build_id") or self._build.manifest.graphbus_version),
                "description": f"{counted(len(self._build.agents), 'node')}, as built.",
            },
            "defaultContentType": "application/json",
            "channels": self._channels,
            "operations": self._operations,
            "components": {"schemas": self._schemas, "messages": self._messages},
        }

    def _topics(self) -> None:
        for topic in self._build.topics:
            name, schema = topic["name"], topic["schema"]
            # A pattern is nobody's address. It becomes a channel below, and only where no topic stands for it.
            if "*" not in name:
                self._topic(name, schema["json_schema"] if schema else None)
        for one in self._build.publications:
            doer = f"{one.node_name}.{one.method}" if one.method else one.node_name
            self._operation("send", one.topic.name, doer, f"{doer} publishes to {one.topic}.")
        known = [topic["name"] for topic in self._build.topics if "*" not in topic["name"]]
        for heard in self._build.subscriptions:
            doer, pattern = f"{heard.node_name}.{heard.handler_name}", heard.topic.name
            # Receivers of a pattern are told topic by topic: AsyncAPI 3 has no wildcard, and tools join operations by
            # channel.
            for name in [name for name in known if matches(pattern, name)] or [pattern]:
                self._operation("receive", name, doer, f"{doer} handles events of {pattern}.")

    def _topic(self, name: str, schema: Mapping[str, Any] | None) -> str:
        """The key of the topic's channel, which is made where there is none."""
        key = self._names.of(name)
        if key not in self._channels:
            message = self._message(name, f"event {name}", schema)
            self._channels[key] = {"address": _address(name), "title": name, "messages": {message: _message(message)}}
            if stars := dict(_stars(name)):
                self._channels[key]["parameters"] = {
                    star: {"description": "One word of the topic." if what == "*" else "Any words of the topic."}
                    for star, what in stars.items()
                }
        return key

    def _calls(self) -> None:
        for agent in self._build.agents:
            for method in agent.methods:
                name = f"{agent.name}.{method.name}"
                taken, given = method.input_schema, method.output_schema
                key = self._names.of(f"call {name}")
                # Both directions on one channel: that is how AsyncAPI 3 tells a reply, and tools draw it as one call.
                asked = self._message(f"{name}.request", f"call of {name}", taken.json_schema if taken else None)
                answered = self._message(f"{name}.reply", f"result of {name}", given.json_schema if given else None)
                self._channels[key] = {
                    "address": name,
                    "title": name,
                    "description": method.description or f"Direct calls of {name}.",
                    "messages": {one: _message(one) for one in (asked, answered)},
                }
                self._operations[self._names.of(f"answer {name}")] = {
                    "action": "receive",
                    "channel": {"$ref": f"#/channels/{key}"},
                    "summary": f"{agent.name} answers calls of {method.name}.",
                    "messages": [{"$ref": f"#/channels/{key}/messages/{asked}"}],
                    "reply": {
                        "channel": {"$ref": f"#/channels/{key}"},
                        "messages": [{"$ref": f"#/channels/{key}/messages/{answered}"}],
                    },
                }

    def _operation(self, action: str, topic: str, doer: str, summary: str) -> None:
        key = self._topic(topic, None)
        self._operations[self._names.of(f"{doer} {action}s {topic}")] = {
            "action": action,
            "channel": {"$ref": f"#/channels/{key}"},
            "summary": summary,
        }

    def _message(self, thing: str, summary: str, schema: Mapping[str, Any] | None) -> str:
        name = self._names.of(f"message {thing}")
        at = f"#/components/schemas/{name}"
        # Where the schema will stand decides what its own references mean, so it is moved before it is named.
        contract = placed(schema, f"{at}/schema" if needs_2020_12(schema) else at)
        if needs_2020_12(schema):
            contract = {"schemaFormat": JSON_SCHEMA_2020_12, "schema": contract}
        self._schemas[name] = contract
        self._messages[name] = {"name": thing, "summary": summary, "payload": {"$ref": at}}
        return name


def _message(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/messages/{name}"}


def _stars(topic: str) -> Iterator[tuple[str, str]]:
    # Each star needs a name of its own, because parameters of an address are a map: two equal names would be one.
    for number, word in enumerate(topic.split("/")):
        if "*" in word:
            yield f"word{number}", word


def _address(topic: str) -> str:
    stars = {what: star for star, what in _stars(topic)}
    return "/".join(f"{{{stars[word]}}}" if word in stars else word for word in topic.split("/"))
