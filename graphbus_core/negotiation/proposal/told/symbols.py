"""What can be asked about: every name of every node, method, topic and field that negotiations knew. For `why`."""

from __future__ import annotations

from collections.abc import Iterable

from graphbus_core.contracts.reading.fields import paths
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.operation import FieldOperation, operations
from graphbus_core.nearest import near_names
from graphbus_core.negotiation.proposal.told.lineage import spellings
from graphbus_core.negotiation.proposal.told.projection import NegotiationLog
from graphbus_core.shown import few

NODES_SHOWN = 8


def unknown(target: str, logs: Iterable[NegotiationLog], agents: Iterable[AgentDefinition] = ()) -> str:
    """A sentence where no agent or proposal ever had `target`, with the nearest names; nothing where one had.

    `agents` are those that no log may know, as the newest build has them.
    """
    nodes: set[str] = set()
    names: set[str] = set()
    for agent in agents:
        nodes.add(agent.name)
        names |= _of_agent(agent)
    for log in logs:
        if log.state is None:
            continue
        for agent in (*log.state.config.agents, *log.state.ground.agents.values()):
            nodes.add(agent.name)
            names |= _of_agent(agent)
        for op in (op for fate in log.fates for op in operations(fate.diff)):
            names.add(op.symbol)
            if isinstance(op, FieldOperation):
                names |= spellings(op.symbol, op.side, op.field)
    if target in names or target in nodes:
        return ""
    near = _nearest(target, names, nodes)
    listed = sorted(nodes)
    there = f"Did you mean {' or '.join(near)}?" if near else f"The nodes are {few(listed, NODES_SHOWN)}."
    return f"Nothing here is called {target!r}. {there} Name it as Node, Node.method or Node.method.field."


def _of_agent(agent: AgentDefinition) -> set[str]:
    names = {f"{agent.name}.{m.name}" for m in agent.methods}
    sides = [(f"{agent.name}.{m.name}", "input", m.input_schema) for m in agent.methods]
    sides += [(f"{agent.name}.{m.name}", "output", m.output_schema) for m in agent.methods]
    for p in agent.publications:
        names.add(f"{agent.name} -> {p.topic.name}")
        sides.append((f"{agent.name} -> {p.topic.name}", "payload", p.schema))
    for symbol, side, schema in sides:
        if schema is None:
            continue
        names.add(f"{symbol}.{side}")
        for field in paths(schema.json_schema):
            names |= spellings(symbol, side, field)
    return names


def _nearest(target: str, names: set[str], nodes: set[str]) -> list[str]:
    """Names that are like it: of the same node, where that is right, or else of the nodes that are spelled like it."""
    if not target.strip():
        return []
    depth = target.count(".")
    node = next((n for n in sorted(nodes, key=len, reverse=True) if target.startswith((f"{n}.", f"{n} -> "))), None)
    if node is None:
        alike = near_names(target.partition(".")[0].partition(" -> ")[0], nodes, 3, sure=True)
        if depth == 0 or not alike:
            return alike
        pool = [n for n in names if n.startswith(tuple(f"{one}{mark}" for one in alike for mark in (".", " -> ")))]
    else:
        pool = [n for n in names if n.startswith((f"{node}.", f"{node} -> "))]
    same_depth = [n for n in pool if n.count(".") == depth]
    return near_names(target, sorted(same_depth), 2, sure=True) or near_names(target, sorted(pool), 2, sure=True)
