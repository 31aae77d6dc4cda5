"""`why`: which proposals made a method or a field what it is, across builds. Reads finished records; decides nothing.

The newest build is looked at first, and a rename is followed back to the older name. A field is named as
`Node.method.field`, or with its side (`Node.method.output.field`); its last name alone is enough
(`Cleaner.clean.source` finds `articles[].source`). `Node.method`, `Node` and `Node -> /Topic` speak of all that is in.

A dry run made nothing what it is, so it is left out, unless everything is asked for. A commit that was taken back is
told, and that it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from graphbus_core.contracts.parsing.field_paths import list_field_paths
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.operation import (
    FieldOperation,
    MapField,
    Operation,
    RenameField,
    RenameMethod,
    UnmapField,
    parse_operations,
)
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog, name_people
from graphbus_core.negotiation.proposal.vocabulary import ProposalFate, ProposalOutcome
from graphbus_core.suggestions import suggest_names
from graphbus_core.text import join_few


@dataclass(frozen=True)
class Cause:
    """One proposal that touched what was asked about, in one build."""

    build_id: str
    at: float | None  # when it was committed, epoch seconds
    fate: ProposalFate
    steps: tuple[Operation, ...]  # those of its operations that touched it
    unified_diff: str = ""
    dry_run: bool = False
    undone: bool = False
    undone_at: float | None = None  # epoch seconds, where it is known

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        ruling = self.fate.ruling
        return {
            "build_id": self.build_id,
            "at": _format_time(self.at),
            "dry_run": self.dry_run,
            "proposal_id": self.fate.proposal_id,
            "proposer": self.fate.proposer,
            "round": self.fate.round,
            "type": self.fate.type,
            "summary": self.fate.proposal.get("summary", ""),
            "rationale": self.fate.proposal.get("rationale", ""),
            "outcome": self.fate.outcome,
            "why": self.fate.why,
            "consensus": self.fate.consensus,
            "evaluations": [
                {"agent": e["agent"], "decision": e["decision"], "reasoning": e.get("reasoning", "")}
                for e in self.fate.evaluations
            ],
            "ruling": {"arbiter": self.fate.arbiter, **ruling} if ruling else None,
            "commit_id": self.fate.commit_id,
            "undone": {"at": _format_time(self.undone_at)} if self.undone else None,
            "files": list(self.fate.files),
            "gates": [dict(end) for end in self.fate.ends],
            "operations": [op.to_dict() for op in self.steps],
            **name_people(self.fate),
        }


def find_causes(target: str, logs: Iterable[NegotiationLog], every: bool = False) -> list[Cause]:
    """What made `target` what it is, newest first; `logs` newest first. With `every`, what was refused as well."""
    names = {target}
    results: list[Cause] = []
    for log in logs:
        dry = log.dry_run
        if dry and not every:
            continue
        fates = [f for f in log.fates if every or f.outcome == ProposalOutcome.COMMITTED]
        for fate in sorted(fates, key=lambda f: log.times.get(f.proposal_id, 0.0), reverse=True):
            steps = parse_operations(fate.diff)
            mine = tuple(op for op in steps if any(touches(op, name) for name in names))
            if not mine:
                continue
            pid = fate.proposal_id
            is_committed = fate.outcome == ProposalOutcome.COMMITTED and not dry
            undone = is_committed and pid in log.undone
            undone_at = log.undone.get(pid)
            results.append(
                Cause(log.build_id, log.times.get(pid), fate, mine, "", dry, undone, undone_at if undone else None)
            )
            if is_committed and not undone:
                names |= {old for op in mine for name in names for old in _find_former_names(op, name)}
    return results


def _format_time(timestamp: float | None) -> str | None:
    return None if timestamp is None else datetime.fromtimestamp(timestamp, UTC).isoformat(timespec="seconds")


def touches(op: Operation, name: str) -> bool:
    """Whether an operation changed what `name` speaks of."""
    addresses = {op.node, op.symbol}
    if isinstance(op, RenameMethod):
        addresses.add(f"{op.node}.{op.to}")
    if isinstance(op, FieldOperation):
        for field in (op.field, *([_rename_path(op)] if isinstance(op, RenameField) else [])):
            addresses |= {f"{op.symbol}.{op.side}", *list_spellings(op.symbol, op.side, field)}
    if isinstance(op, MapField | UnmapField):
        addresses |= {f"{op.symbol}.input", *list_spellings(op.symbol, "input", op.field)}
    return name in addresses


def list_spellings(symbol: str, side: str, field: str) -> set[str]:
    """Every way in which a field of a contract may be named."""
    parts = field.replace("[]", "").split(".")
    paths = {field, parts[-1], *(".".join(parts[: i + 1]) for i in range(len(parts)))}
    return {f"{symbol}.{where}{path}" for where in ("", f"{side}.") for path in paths}


def _rename_path(op: RenameField) -> str:
    head, dot, _ = op.field.rpartition(".")
    return f"{head}{dot}{op.to}"


def _find_former_names(op: Operation, name: str) -> set[str]:
    """The names that this one had before the operation."""
    if isinstance(op, RenameMethod) and (name + ".").startswith(f"{op.node}.{op.to}."):
        return {f"{op.symbol}{name.removeprefix(f'{op.node}.{op.to}')}"}
    if isinstance(op, RenameField) and name in list_spellings(op.symbol, op.side, _rename_path(op)):
        return {f"{op.symbol}.{op.side}.{op.field}"}
    return set()


# What can be asked about: every name of every node, method, topic and field that negotiations knew. For `why`.


NODES_SHOWN = 8


def explain_unknown(target: str, logs: Iterable[NegotiationLog], agents: Iterable[AgentDefinition] = ()) -> str:
    """A sentence where no agent or proposal ever had `target`, with the nearest names; nothing where one had.

    `agents` are those that no log may know, as the newest build has them.
    """
    nodes: set[str] = set()
    names: set[str] = set()
    for agent in agents:
        nodes.add(agent.name)
        names |= _list_agent_names(agent)
    for log in logs:
        if log.state is None:
            continue
        for agent in (*log.state.config.agents, *log.state.ground.agents.values()):
            nodes.add(agent.name)
            names |= _list_agent_names(agent)
        for op in (op for fate in log.fates for op in parse_operations(fate.diff)):
            names.add(op.symbol)
            if isinstance(op, FieldOperation):
                names |= list_spellings(op.symbol, op.side, op.field)
    if target in names or target in nodes:
        return ""
    near = _suggest_names(target, names, nodes)
    listed = sorted(nodes)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"The nodes are {join_few(listed, NODES_SHOWN)}."
    return f"Nothing here is called {target!r}. {hint} Name it as Node, Node.method or Node.method.field."


def _list_agent_names(agent: AgentDefinition) -> set[str]:
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
        for field in list_field_paths(schema.json_schema):
            names |= list_spellings(symbol, side, field)
    return names


def _suggest_names(target: str, names: set[str], nodes: set[str]) -> list[str]:
    """Names that are like it: of the same node, where that is right, or else of the nodes that are spelled like it."""
    if not target.strip():
        return []
    depth = target.count(".")
    node = next((n for n in sorted(nodes, key=len, reverse=True) if target.startswith((f"{n}.", f"{n} -> "))), None)
    if node is None:
        alike = suggest_names(target.partition(".")[0].partition(" -> ")[0], nodes, 3, sure=True)
        if depth == 0 or not alike:
            return alike
        pool = [
            n
            for n in names
            if n.startswith(tuple(f"{node_name}{mark}" for node_name in alike for mark in (".", " -> ")))
        ]
    else:
        pool = [n for n in names if n.startswith((f"{node}.", f"{node} -> "))]
    same_depth = [n for n in pool if n.count(".") == depth]
    return suggest_names(target, sorted(same_depth), 2, sure=True) or suggest_names(target, sorted(pool), 2, sure=True)
