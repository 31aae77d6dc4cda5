"""A project on paper: agents that exist only as definitions, and commits that change only those (tests, benchmarks).

No file, no scan: `agent` writes a definition with a class text to match, `commit` carries a diff out on the contracts
and gives the receipt that a commit engine would.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from graphbus_core.config import SafetyConfig
from graphbus_core.contracts import Contract
from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Link, LinkOrigin
from graphbus_core.model.operation import (
    AddMethod,
    DeleteMethod,
    FieldOperation,
    RenameMethod,
    ReplaceBody,
    parse_operations,
)
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import Parameter, Schema, SchemaMethod
from graphbus_core.negotiation.core import Answers, Apply, Ask, Driver, Event, Json, Log, Reply, Session, View
from graphbus_core.negotiation.proposal import NegotiationOutcome, ProposalConfig, ProposalFate, ProposalProtocol
from graphbus_core.negotiation.proposal.effects import Inapplicable, apply_to_contracts
from graphbus_core.negotiation.proposal.project_view import Surface

Sides = tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]


def schema(fields: Mapping[str, Any] | None) -> Schema | None:
    """A contract from live types; None stays undeclared."""
    return None if fields is None else Schema(Contract.from_annotations(dict(fields)).to_json_schema())


def agent(name: str, methods: Mapping[str, Sides] | None = None, **more: Any) -> AgentDefinition:
    """A node with these contracts; `depends_on`, `metadata` and `source_file` as wanted."""
    made = tuple(
        SchemaMethod(
            m,
            schema(takes),
            schema(gives),
            parameters=tuple(Parameter(f, "positional_or_keyword") for f in takes or ()),
        )
        for m, (takes, gives) in (methods or {}).items()
    )
    definition = AgentDefinition(
        name=name,
        module=f"agents.{name.lower()}",
        class_name=name,
        source_file=more.pop("source_file", f"agents/{name.lower()}.py"),
        source_code="",
        system_prompt=SystemPrompt(more.pop("prompt", f"I am {name}.")),
        methods=made,
        **more,
    )
    return replace(definition, source_code=_source(definition, {}))


def arbiter(name: str = "Judge") -> AgentDefinition:
    """An arbiter with nothing of its own."""
    return agent(name, metadata={"is_arbiter": True})


def link(producer: str, consumer: str) -> Link:
    """`link("A.make", "B.take")`."""
    a, b = producer.split("."), consumer.split(".")
    return Link(Endpoint(a[0], a[1]), Endpoint(b[0], b[1]), LinkOrigin.METHOD)


def _source(definition: AgentDefinition, bodies: Mapping[str, str]) -> str:
    lines = [f"class {definition.class_name}(GraphBusNode):"]
    for m in definition.methods:
        names = "".join(f", {p.name}" for p in m.parameters)
        lines += [f"    def {m.name}(self{names}):", f"        {bodies.get(m.name, 'return {}')}", ""]
    return "\n".join([*lines, "    pass"])


class Paper:
    """A project on paper that commits go to. `fail` may name proposals that a gate refuses."""

    def __init__(self, agents: tuple[AgentDefinition, ...], links: tuple[Link, ...] = ()) -> None:
        self.agents = {a.name: a for a in agents}
        self.links = links
        self.fail: Callable[[Json], str | None] = lambda about: None
        self.applied: list[str] = []
        self.receipts: dict[str, dict[str, Any]] = {}

    def files(self, only: set[str] | None = None) -> dict[str, str]:
        """The digest of every file, or of these."""
        texts: dict[str, list[str]] = {}
        for a in self.agents.values():
            if only is not None and a.source_file not in only:
                continue
            texts.setdefault(a.source_file, []).append(a.source_code + repr([m.to_dict() for m in a.methods]))
        return {f: hashlib.sha256("\n".join(t).encode()).hexdigest() for f, t in texts.items()}

    async def apply(self, effect: Apply) -> Json:
        """The effect of the proposal negotiation: `prepare` or `commit`. Running it twice does no more than once."""
        return self.commit(effect.about, write=effect.kind == "commit")

    def commit(self, about: Json, write: bool = True) -> dict[str, Any]:
        """The receipt of a commit."""
        pid = about["proposal_id"]
        if pid in self.receipts:
            return self.receipts[pid]
        if why := self.fail(about):
            return {"status": "failed", "gate": "verify", "reason": why}
        ops = parse_operations(about["diff"])
        touched = {self.agents[op.node].source_file for op in ops if op.node in self.agents}
        before = self.files(touched)
        try:
            made = apply_to_contracts(ops, lambda n: _surface(self.agents[n]) if n in self.agents else None)
        except Inapplicable as e:
            return {"status": "failed", "gate": "contract", "reason": str(e)}
        changed: dict[str, AgentDefinition] = {}
        for node in dict.fromkeys(op.node for op in ops if op.node in self.agents):
            changed[node] = self._after(node, ops, made.after)
        if not write:
            return {
                "status": "prepared",
                "files": sorted({a.source_file for a in changed.values()}),
                "unified_diff": "-",
            }
        self.agents.update(changed)
        after = self.files(touched)
        files = sorted(f for f in after if before[f] != after[f])
        self.applied.append(pid)
        receipt = {
            "status": "committed",
            "files": files,
            "unified_diff": "".join(f"--- {f}\n+++ {f}\n" for f in files),
            "before": {f: before[f] for f in files},
            "after": {f: after[f] for f in files},
            "agents": {n: a.to_dict() for n, a in changed.items()},
        }
        self.receipts[pid] = receipt
        return receipt

    def _after(self, node: str, ops: Any, after: Any) -> AgentDefinition:
        definition = self.agents[node]
        methods = {m.name: m for m in definition.methods}
        bodies = dict(definition.metadata.get("bodies", {}))
        for op in ops:
            if op.node != node:
                continue
            match op:
                case ReplaceBody():
                    bodies[op.method] = op.body
                case AddMethod():
                    methods[op.method] = SchemaMethod(op.method)
                case DeleteMethod():
                    methods.pop(op.method, None)
                case RenameMethod():
                    methods[op.to] = replace(methods.pop(op.method), name=op.to)
                case FieldOperation(method=name, side=side) if name in methods:
                    made = after.get((node, name, side))
                    key = {"input": "input_schema", "output": "output_schema"}[side]
                    methods[name] = replace(methods[name], **{key: Schema(made) if made is not None else None})
                case _:
                    pass
        changed = replace(
            definition, methods=tuple(methods.values()), metadata={**definition.metadata, "bodies": bodies}
        )
        return replace(changed, source_code=_source(changed, bodies))


def _surface(definition: AgentDefinition) -> Surface:
    return Surface(
        {
            m.name: (
                m.input_schema.json_schema if m.input_schema else None,
                m.output_schema.json_schema if m.output_schema else None,
            )
            for m in definition.methods
        },
        {},
    )


class Seat:
    """A participant that answers by a function of the ask; what it was asked stands in `asked`."""

    def __init__(self, answer: Callable[[Ask], Any]) -> None:
        self._answer = answer
        self.asked: list[Ask] = []

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What the function says; None is silence."""
        self.asked.append(ask)
        body = self._answer(ask)
        return Reply(None, "says nothing") if body is None else Reply(body)


def add(node: str, method: str, field: str, type: str = "str", side: str = "output", **more: Any) -> dict[str, Any]:
    """An optional field, as an operation."""
    more.setdefault("optional", True)
    return {"op": "add_field", "node": node, "method": method, "side": side, "field": field, "type": type, **more}


def propose(*ops: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """One proposal."""
    return {"type": "schema_extension", "summary": "change", "diff": list(ops), **more}


@dataclass
class Ran:
    """A negotiation that ended, and everything about it."""

    outcome: NegotiationOutcome
    events: list[Event]
    seats: dict[str, Seat]
    paper: Paper
    config: ProposalConfig

    def kinds(self) -> list[str]:
        """The kinds of its facts, in order."""
        return [fact.kind for fact in self.events]

    def of(self, kind: str) -> list[Any]:
        """Its facts of one kind."""
        return [fact for fact in self.events if fact.kind == kind]

    def fate(self, proposer: str, place: int = 0) -> ProposalFate:
        """What became of an agent's `place`-th proposal."""
        return [p for p in self.outcome.proposals if p.proposer == proposer][place]

    def asked(self, kind: str) -> list[tuple[str, int]]:
        """Who was asked this, and in which round."""
        return [(ask.to, ask.about["round"]) for s in self.seats.values() for ask in s.asked if ask.kind == kind]


def negotiate(
    agents: tuple[AgentDefinition, ...],
    links: tuple[Link, ...],
    answer: Callable[[Ask], Any],
    fail: Callable[[Json], str | None] | None = None,
    answers: Answers | None = None,
    log: Log | None = None,
    paper: Paper | None = None,
    **more: Any,
) -> Ran:
    """Run a negotiation on paper to its end. Keywords of SafetyConfig go there, others to ProposalConfig."""
    safety = {k: more.pop(k) for k in list(more) if k in SafetyConfig.__dataclass_fields__}
    safety.setdefault("max_negotiation_rounds", 2)
    config = ProposalConfig(agents, links, safety=SafetyConfig(**safety), **more)
    paper = paper or Paper(agents, links)
    if fail is not None:
        paper.fail = fail
    seats = {name: Seat(answer) for name in [*(a.name for a in agents), config.approver]}
    kept = log if log is not None else MemoryLog()
    session = Session(ProposalProtocol(), config, kept)
    driver = Driver(seats, answers if answers is not None else MemoryAnswers(), paper.apply)
    outcome = asyncio.run(driver.run(session))
    return Ran(outcome, [entry.event for entry in kept], seats, paper, config)


def script(table: Mapping[str, Any]) -> Callable[[Ask], Any]:
    """Answers by `"A.propose"` (round 1 only), `"A.propose.2"`, `"B.evaluate"`, `"evaluate"`; functions get the ask.

    Who has nothing to say proposes nothing and accepts everything.
    """

    def answer(ask: Ask) -> Any:
        round = ask.about["round"]
        keys = [f"{ask.to}.{ask.kind}.{round}"]
        if ask.kind != "propose" or round == 1:
            keys += [f"{ask.to}.{ask.kind}", ask.kind]
        for key in keys:
            if key in table:
                said = table[key]
                return said(ask) if callable(said) else said
        return {"propose": {"proposals": []}, "evaluate": {"decision": "accept"}}.get(ask.kind)

    return answer


def proposals(*made: Mapping[str, Any]) -> dict[str, Any]:
    """The answer that makes these proposals."""
    return {"proposals": list(made)}


ACCEPT = {"decision": "accept", "reasoning": "fine"}
REJECT = {"decision": "reject", "reasoning": "no"}


def pipeline(*more: AgentDefinition) -> tuple[tuple[AgentDefinition, ...], tuple[Link, ...]]:
    """A.make -> B.take -> C.use, and whoever else."""
    agents = (
        agent("A", {"make": ({}, {"x": str})}),
        agent("B", {"take": ({"x": str}, {"y": int})}),
        agent("C", {"use": ({"y": int}, {"z": str})}),
        *more,
    )
    return agents, (link("A.make", "B.take"), link("B.take", "C.use"))
