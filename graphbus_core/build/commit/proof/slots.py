"""Every contract of a project by its address: what a gate compares, and what a record of a commit keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graphbus_core.model.agent_def import AgentDefinition

Slot = tuple[str, str, str]  # node, method or topic, side


def slots(agents: Iterable[AgentDefinition]) -> dict[Slot, Mapping[str, Any] | None]:
    """Every contract of a project: by node, method or topic, and side; None where it is not declared."""
    found: dict[Slot, Mapping[str, Any] | None] = {}
    for agent in agents:
        for method in agent.methods:
            found[agent.name, method.name, "input"] = method.input_schema.json_schema if method.input_schema else None
            found[agent.name, method.name, "output"] = (
                method.output_schema.json_schema if method.output_schema else None
            )
        for one in agent.publications:
            key = (agent.name, one.topic.name, "payload")
            if found.get(key) is None:
                found[key] = one.schema.json_schema if one.schema else None
    return found
