"""Contracts: those that changed are those that the operations declare, and none else.

What the operations say is carried out on the schemas (`ExpectedContracts`), the changed project is scanned, and the two
are held
against each other. Nothing that the changed code says of itself is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphbus_core.commit.gates.trial import (
    Gate,
    GateAnswer,
    Slot,
    Trial,
    collect_contracts,
    report_proved,
    report_refused,
)
from graphbus_core.contracts import AnnotationChanged, apply_operation, changes
from graphbus_core.editing.operations.node_metadata import parse_decorator_texts
from graphbus_core.editing.worktree import Worktree
from graphbus_core.errors import ContractError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.operation import (
    AddAgent,
    AddMethod,
    Decorate,
    DeleteMethod,
    EditText,
    FieldOperation,
    MapField,
    Operation,
    RemoveAgent,
    RenameMethod,
    ReplaceBody,
    Undecorate,
    UnmapField,
)

Agents = Sequence[AgentDefinition]
_IDLE = ("title", "default")


def ask(trial: Trial) -> GateAnswer:
    """Whether exactly the declared contracts changed; names the first that was not declared."""
    before, after = trial.project.agents, trial.after.agents
    expected = ExpectedContracts(collect_contracts(before))
    why = expected.apply_diff(trial.diff, trial.applied.unchanged, _build_resolver(trial), trial.known)
    why = (
        why
        or _check_nodes(before, after, trial.diff, expected)
        or _find_difference(before, after, trial.diff, expected)
        or _check_declarations(before, after, trial.diff, expected)
    )
    return report_proved() if why is None else report_refused(why)


GATE = Gate("contracts", ask)
UNDO_GATE = Gate("contracts", ask)  # of an undo, whose `known` contracts must come out as they were


def _build_resolver(trial: Trial) -> Callable[[str], Any] | None:
    """How names in an operation's types are looked up: as the file of its node sees them."""
    read = trial.applied.after
    work = Worktree(lambda p: read.get(p) or _read_bytes(trial, p), trial.after.agents, trial.list_python_files())
    node = trial.diff[0].node if trial.diff else ""
    agent = next((a for a in trial.after.agents if a.name == node), None)
    return work.build_resolver(work.read_source(agent.source_file)) if agent is not None else None


def _read_bytes(trial: Trial, path: str) -> bytes | None:
    try:
        return (trial.scratch / path).read_bytes()  # no code has run in this copy yet
    except (FileNotFoundError, NotADirectoryError):
        return None


@dataclass
class ExpectedContracts:
    """The contracts as the operations say they come out. `free`: methods whose code an operation carries.

    `told`: what decorators of the diff say, as (node, decorator, text): topics that are published or heard, nodes that
    are needed. `nodes`: those that the diff adds or removes.
    """

    slots: dict[Slot, Mapping[str, Any] | None]
    renamed: dict[tuple[str, str], str] = field(default_factory=dict)
    free: set[tuple[str, str]] = field(default_factory=set)
    told: set[tuple[str, str, str]] = field(default_factory=set)
    nodes: set[str] = field(default_factory=set)

    def apply_diff(
        self,
        diff: Sequence[Operation],
        unchanged: Collection[Operation],
        resolve: Callable[[str], Any] | None,
        restored: Mapping[Slot, Any],
    ) -> str | None:
        """Carry the operations out; why one cannot be, or None."""
        for op in diff:
            if isinstance(op, FieldOperation):
                if (why := self._apply_field(op, op in unchanged, resolve, restored)) is not None:
                    return why
            elif isinstance(op, RenameMethod) and op.method:
                for side in ("input", "output"):
                    if (op.node, op.method, side) in self.slots:
                        self.slots[op.node, op.to, side] = self.slots.pop((op.node, op.method, side))
                self.renamed[op.node, op.method] = op.to
            elif isinstance(op, DeleteMethod) and op.method:
                for side in ("input", "output"):
                    self.slots.pop((op.node, op.method, side), None)
                self.free.add((op.node, op.method))
            elif isinstance(op, AddMethod | ReplaceBody | EditText) and op.method:
                self.free.add((op.node, op.method))
            elif isinstance(op, Decorate | Undecorate):
                decorator, texts = parse_decorator_texts(op.decorator)
                self.told |= {(op.node, decorator, text) for text in texts}
            elif isinstance(op, MapField | UnmapField):
                self.told.add((op.node, *op.decorator))
            elif isinstance(op, AddAgent | RemoveAgent):
                self.nodes.add(op.node)
                for slot in [slot for slot in self.slots if slot[0] == op.node]:
                    del self.slots[slot]
        self.slots.update(restored)
        return None

    def _apply_field(
        self, op: FieldOperation, unchanged: bool, resolve: Callable[[str], Any] | None, restored: Mapping[Slot, Any]
    ) -> str | None:
        slot = (op.node, op.method or op.topic or "", op.side)
        if slot not in self.slots:
            return f"{op.symbol} has no {op.side} contract in this project."
        try:
            extra = {"resolve": resolve} if resolve is not None else {}
            self.slots[slot] = apply_operation(self.slots[slot], op, **extra)
        except ContractError as e:
            if not unchanged and slot not in restored:
                return str(e)
        return None


def _find_difference(
    before: Agents, after: Agents, diff: Sequence[Operation], expected: ExpectedContracts
) -> str | None:
    """The first contract that is other than expected, in words."""
    free, actual = expected.free, _collect_actual(after, diff)
    published = {(a.name, p.topic.name) for a in after for p in a.publications if (a.name, p.method or "") in free}
    for slot in sorted({*expected.slots, *actual}):
        node, name, side = slot
        if node in expected.nodes or (side == "payload" and (node, "publishes", name) in expected.told):
            continue
        if slot not in expected.slots:
            # Code that an operation carries may publish something new: nobody declares what a body publishes.
            if side != "payload" or (node, name) not in published:
                return f"{_format_slot(slot)} appears, though no operation declares that."
        elif slot not in actual:
            if side != "payload" or not _is_published_by(before, slot, free):
                return f"{_format_slot(slot)} is gone, though no operation declares that."
        elif not _is_equal(expected.slots[slot], actual[slot]):
            return _explain_undeclared(slot, expected.slots[slot], actual[slot], diff)
    return None


def _collect_actual(after: Agents, diff: Sequence[Operation]) -> dict[Slot, Mapping[str, Any] | None]:
    """The contracts as they came out. A method that the diff adds brings its own, which nothing before can expect."""
    added = {(op.node, op.method) for op in diff if isinstance(op, AddMethod)}
    return {k: v for k, v in collect_contracts(after).items() if k[2] == "payload" or (k[0], k[1]) not in added}


def _is_published_by(agents: Agents, slot: Slot, free: set[tuple[str, str]]) -> bool:
    return any(
        (a.name, p.method or "") in free
        for a in agents
        if a.name == slot[0]
        for p in a.publications
        if p.topic.name == slot[1]
    )


def _format_slot(slot: Slot) -> str:
    node, name, side = slot
    return f"{node} -> {name}" if side == "payload" else f"{node}.{name}.{side}"


def _is_equal(expected: Mapping[str, Any] | None, actual: Mapping[str, Any] | None) -> bool:
    """Whether two contracts are one, but for what proves nothing: titles and defaults."""
    if expected == actual or expected is None or actual is None:
        return expected == actual
    idle = (isinstance(change, AnnotationChanged) and change.keyword in _IDLE for change in changes(expected, actual))
    return all(idle)


def _explain_undeclared(slot: Slot, expected: Any, actual: Any, diff: Sequence[Operation]) -> str:
    declared = any(isinstance(op, FieldOperation) and (op.node, op.method or op.topic, op.side) == slot for op in diff)
    changed_paths = [str(c.path) for c in changes(expected or {"type": "object"}, actual or {"type": "object"})]
    fields = ", ".join(
        f"{_format_slot(slot)}.{path}" if path else _format_slot(slot) for path in dict.fromkeys(changed_paths)
    ) or _format_slot(slot)
    if declared:
        return f"{fields} came out other than the operations declare. Name every field that changes."
    return f"{fields} changed as well, though no operation declares it. Name it in the diff, or leave it as it is."


# ---- everything else that a node says of itself


def _check_nodes(before: Agents, after: Agents, diff: Sequence[Operation], expected: ExpectedContracts) -> str | None:
    """Whether exactly the declared nodes appear and go."""
    old, new = {a.name for a in before}, {a.name for a in after}
    if undeclared := (old ^ new) - expected.nodes:
        return f"nodes appear or are gone: {', '.join(sorted(undeclared))}. Say so with add_agent or remove_agent."
    if unmade := [op.node for op in diff if isinstance(op, AddAgent) and op.node not in new]:
        return f"{', '.join(unmade)}: not a node. It inherits from GraphBusNode, in a scanned file."
    return None


def _check_declarations(
    before: Agents, after: Agents, diff: Sequence[Operation], expected: ExpectedContracts
) -> str | None:
    """Who listens where, who needs whom, who is arbiter: none of it may change beside what is declared."""
    old, new = ({a.name: a for a in agents} for agents in (before, after))
    touched = {(op.node, op.method) for op in diff if op.method}
    nodes = {op.node for op in diff}
    for name, agent in old.items():
        if name not in new or (new[name] is agent and name not in nodes):
            continue
        why = (
            _explain_node_change(agent, new[name], expected)
            or _explain_parameter_change(agent, new[name], touched)
            or _explain_payload_change(agent, new[name], expected)
        )
        if why is not None:
            return why
    return None


def _explain_node_change(agent: AgentDefinition, now: AgentDefinition, expected: ExpectedContracts) -> str | None:
    name, free = agent.name, expected.free
    if _collect_listeners(agent, expected, moved=True) != _collect_listeners(now, expected, moved=False):
        return f"{name} would listen to other topics, though no operation declares that."
    has_free_code = any(node == name for node, _ in free)
    for what in ("depends_on", "system_prompt"):
        is_declared = what == "depends_on" and (has_free_code or any(t[:2] == (name, what) for t in expected.told))
        if getattr(agent, what) != getattr(now, what) and not is_declared:
            return f"{name}.{what} changed, though no operation declares that."
    for key in ("is_arbiter", "model", "overrides", "bases"):
        if agent.metadata.get(key) != now.metadata.get(key) and not has_free_code:
            return f"{name}: {key} changed, though no operation declares that."
    return None


def _collect_listeners(
    agent: AgentDefinition, expected: ExpectedContracts, *, moved: bool
) -> set[tuple[str, str, str]]:
    """Topic, handler and mapping of every subscription; with `moved` under the names that handlers get."""
    listeners = set()
    for s in agent.subscriptions:
        handler = expected.renamed.get((agent.name, s.handler_name), s.handler_name) if moved else s.handler_name
        declared = (agent.name, "subscribe", s.topic.name) in expected.told
        if (agent.name, s.handler_name) not in expected.free and not declared:
            listeners.add((s.topic.name, handler, repr(s.mapping)))
    return listeners


def _explain_parameter_change(
    agent: AgentDefinition, now: AgentDefinition, touched: set[tuple[str, str]]
) -> str | None:
    for method in agent.methods:
        other = now.method(method.name)
        if other is None or (agent.name, method.name) in touched:
            continue
        was, is_ = ([replace(p, annotation=None) for p in m.parameters] for m in (method, other))
        if was != is_:
            return f"the parameters of {agent.name}.{method.name} changed, though no operation says so."
    return None


def _explain_payload_change(agent: AgentDefinition, now: AgentDefinition, expected: ExpectedContracts) -> str | None:
    """Whether a payload changed that stands in no slot: a node may publish a topic by several contracts.

    An operation on the topic speaks of the first. Each other one moves with it where it said the same, or stays.
    """
    first, came_out = collect_contracts([agent]), _collect_payloads(now)
    for (topic, method), payload_before in _collect_payloads(agent).items():
        slot = (agent.name, topic, "payload")
        payload_after = came_out.get((topic, expected.renamed.get((agent.name, method), method)))
        moved = _is_equal(first[slot], payload_before) and _is_equal(expected.slots.get(slot), payload_after)
        is_declared = (agent.name, "publishes", topic) in expected.told or (
            payload_after is None and (agent.name, method) in expected.free
        )
        if not (moved or is_declared or _is_equal(payload_before, payload_after)):
            return f"{_format_slot(slot)} of {method or agent.name} changed as well, though no operation declares it."
    return None


def _collect_payloads(agent: AgentDefinition) -> dict[tuple[str, str], Mapping[str, Any]]:
    """What each method that publishes a topic says of its payload, where it says anything."""
    return {(p.topic.name, p.method or ""): p.schema.json_schema for p in agent.publications if p.schema}
