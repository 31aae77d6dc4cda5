"""`GraphBuilder`: who needs whom, from declared dependencies, data links and topics (seed 002 §4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphbus_core.build.link.links import Agents
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph, Edge, Link, LinkOrigin

EDGE_OF = {
    LinkOrigin.METHOD: "schema_depends",
    LinkOrigin.CLASS: "schema_depends",
    LinkOrigin.TOPIC: "topic",
    LinkOrigin.CALL: "schema_depends",
}
STRENGTH = ("depends_on", "schema_depends", "topic")  # the edge type of two nodes is the strongest reason


class GraphBuilder:
    """Builds the AgentGraph of a project."""

    def __init__(self, agents: Sequence[AgentDefinition], links: Sequence[Link] = ()) -> None:
        self.agents = agents
        self.links = links

    def build(self) -> AgentGraph:
        """Nodes by name, with the attributes of seed 002 §2.9; an edge from each node to those that need it."""
        known = Agents(self.agents)
        reasons: dict[tuple[str, str], dict[tuple[str, str], None]] = {}

        def edge(source: str, target: str, kind: str, why: str) -> None:
            # A node that feeds itself starts no earlier for it.
            if source != target:
                reasons.setdefault((source, target), {})[kind, why] = None

        for agent in self.agents:
            hinted = agent.metadata.get("hinted", ())
            for name in agent.depends_on:
                if (producer := known.get(name)) is not None:
                    why = f"type hint {name}" if name in hinted else f'@depends_on("{name}")'
                    edge(producer.name, agent.name, "depends_on", why)
            for method in agent.methods:
                # Without the method it may still be known who is meant, and the order of starting needs no more.
                for name in method.depends_on:
                    node = known.get(name) or known.get(name.rpartition(".")[0])
                    if node is not None:
                        edge(node.name, agent.name, "depends_on", f'@depends_on("{name}") on {method.name}')
        for link in self.links:
            edge(link.producer.node, link.consumer.node, EDGE_OF[link.origin], link.id)
        # Sorted, so that the artifact of one project has the same bytes on each machine.
        edges = [_edge(source, target, list(why)) for (source, target), why in sorted(reasons.items())]
        return AgentGraph({agent.name: _attributes(agent) for agent in self.agents}, edges, self.links)


def _edge(source: str, target: str, why: list[tuple[str, str]]) -> Edge:
    kind = min((kind for kind, _ in why), key=STRENGTH.index)
    return Edge(source, target, kind, {"reasons": [f"{kind}: {reason}" for kind, reason in why]})


def _attributes(agent: AgentDefinition) -> dict[str, Any]:
    return {
        "node_name": agent.name,
        "module": agent.module,
        "class_name": agent.class_name,
        "system_prompt": agent.system_prompt.text,
        "schemas": {
            m.name: {
                "input": m.input_schema.json_schema if m.input_schema else None,
                "output": m.output_schema.json_schema if m.output_schema else None,
            }
            for m in agent.methods
            if m.input_schema or m.output_schema
        },
        "subscriptions": [s.to_dict() for s in agent.subscriptions],
        "metadata": {"is_arbiter": agent.is_arbiter, "source_file": agent.source_file},
    }
