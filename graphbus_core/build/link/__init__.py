"""Definitions -> links, graph, mismatches (design §5).

links          which producer's data reaches which consumer, and how certain that is
mismatches     links whose contracts do not fit, each with the payload that proves it
graph_builder  who needs whom, and so who is activated first
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.build.link.graph_builder import GraphBuilder
from graphbus_core.build.link.links import Ambiguous, Dangling, LinkFinder, contracts_of
from graphbus_core.build.link.mismatches import check_links
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph, Link, Mismatch

__all__ = ["Ambiguous", "Dangling", "GraphBuilder", "LinkFinder", "Linked", "contracts_of", "link"]


@dataclass(frozen=True)
class Linked:
    """What linking found. `unchecked`: links of which a side has no contract. `undeclared`: methods without any,
    as `Node.method`. `dangling`: names in `@depends_on` that are no node or method of this build. `unreadable`:
    contracts that were written and mean nothing, with the reason; they are treated as undeclared."""

    graph: AgentGraph
    links: tuple[Link, ...]
    mismatches: tuple[Mismatch, ...]
    ambiguous: tuple[Ambiguous, ...]
    undeclared: tuple[str, ...]
    unchecked: tuple[Link, ...] = ()
    dangling: tuple[Dangling, ...] = ()
    unreadable: tuple[str, ...] = ()

    @property
    def findings(self) -> int:
        """What a validation fails on: mismatches, methods in `@depends_on` that are not there, unreadable contracts."""
        return len(self.mismatches) + sum(d.is_method for d in self.dangling) + len(self.unreadable)

    def to_dict(self) -> dict[str, Any]:
        """The form in `build_summary.json` and of `validate --json`."""
        return {
            "links": [one.to_dict() for one in self.links],
            "mismatches": [one.to_dict() for one in self.mismatches],
            "ambiguous": [one.to_dict() for one in self.ambiguous],
            "undeclared": list(self.undeclared),
            "unchecked": [one.id for one in self.unchecked],
            "dangling": [one.to_dict() for one in self.dangling],
            "unreadable": list(self.unreadable),
        }


def link(agents: Sequence[AgentDefinition]) -> Linked:
    """Find and check every link between agents, and put the agents in order. Pure; quick enough to be run again."""
    found = LinkFinder(agents).find()
    mismatches, unchecked = check_links(agents, found.links)
    return Linked(
        graph=GraphBuilder(agents, found.links).build(),
        links=found.links,
        mismatches=mismatches,
        ambiguous=found.ambiguous,
        undeclared=tuple(
            f"{agent.name}.{method.name}"
            for agent in agents
            for method in agent.methods
            if method.input_schema is None and method.output_schema is None
        ),
        unchecked=unchecked,
        dangling=found.dangling,
        unreadable=tuple(
            f"{agent.name}.{where}: {why}"
            for agent in agents
            for where, why in agent.metadata.get("unreadable", {}).items()
        ),
    )
