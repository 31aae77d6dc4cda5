"""OpenAPI 3.1: the calls and events of a build, as `graphbus serve` answers them over HTTP.

One path a node (`POST /nodes/Greeter/call`), because the server has it so: the body names the method, and the
document says which payload goes with which method.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.export.schemas import ComponentNames, placed
from graphbus_core.model.agent_def import AgentDefinition

VERSION = "3.1.0"


def openapi(build: ArtifactFolder) -> dict[str, Any]:
    """The document, as data. Raises ArtifactError."""
    names = ComponentNames()
    schemas: dict[str, Any] = {"Failure": _FAILURE}
    # Taken before any node can have it: a class called Failure gets `Failure-2`.
    names.of("Failure")
    paths = {f"/nodes/{agent.name}/call": _calls(agent, names, schemas) for agent in build.agents if agent.methods}
    topics = {t["name"]: t["schema"] for t in build.topics if "*" not in t["name"]}
    if topics:
        paths["/publish"] = _publish(topics, names, schemas)
    return {
        "openapi": VERSION,
        # 3.1 because its schemas are JSON Schema 2020-12, as contracts are: nothing has to be translated or left out.
        "info": {
            "title": "GraphBus",
            "version": str(build.summary.get("build_id") or build.manifest.graphbus_version),
            "description": "Calls and events of a build, as `graphbus serve` answers them.",
        },
        "servers": [{"url": "http://127.0.0.1:8420", "description": "graphbus serve"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _calls(agent: AgentDefinition, names: ComponentNames, schemas: dict[str, Any]) -> dict[str, Any]:
    bodies, results = [], []
    for method in agent.methods:
        name = f"{agent.name}.{method.name}"
        # Input and output get names of their own: one method may take and give the same field with other limits.
        taken, given = method.input_schema, method.output_schema
        payload = _component(f"{name}.input", taken.json_schema if taken else None, names, schemas)
        bodies.append(
            {
                "type": "object",
                "title": name,
                "required": ["method"] + (["payload"] if taken is not None and taken.required else []),
                "properties": {
                    "method": {"const": method.name},
                    "payload": payload,
                    "timeout_s": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 600},
                },
                # The server refuses unknown keys, so a client generated from this must not be allowed to send them.
                "additionalProperties": False,
            }
        )
        if given is not None:
            results.append(_component(f"{name}.output", given.json_schema, names, schemas))
        elif {} not in results:
            # An undeclared result may be anything. Once is enough: `{}` twice says no more.
            results.append({})
    answer = {"type": "object", "required": ["result"], "properties": {"result": {"anyOf": results}}}
    # `oneOf` with a constant method: generators make one class a call out of it, and a wrong pair fails to validate.
    return _post(names.of(f"call {agent.name}"), f"Call a method of {agent.name}.", {"oneOf": bodies}, answer)


def _publish(topics: Mapping[str, Any], names: ComponentNames, schemas: dict[str, Any]) -> dict[str, Any]:
    bodies = []
    for topic, schema in topics.items():
        payload = _component(f"event {topic}", schema["json_schema"] if schema else None, names, schemas)
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
    return _post(names.of("publish"), "Publish an event.", {"oneOf": bodies}, answer)


def _component(
    thing: str, schema: Mapping[str, Any] | None, names: ComponentNames, schemas: dict[str, Any]
) -> dict[str, str]:
    name = names.of(thing)
    at = f"#/components/schemas/{name}"
    schemas[name] = placed(schema, at)
    return {"$ref": at}


def _post(operation: str, summary: str, body: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
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
