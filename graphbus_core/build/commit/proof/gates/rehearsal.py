"""Rehearsal: the changed methods are called in the sandbox with payloads that they may be sent.

The rule negotiators know contracts, not code. So what they agree on is tried before it lands: a method that now raises
a TypeError, KeyError, AttributeError or NameError for a payload that its producers may send, or that gives what its
own contract does not promise, is refused, unless it did so before. It proves nothing (behaviour is proved by
`--verify`); it catches what would break at the first message.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from graphbus_core.build.commit.proof.code_gates import import_path
from graphbus_core.build.commit.proof.gate_ends import Said, held, not_run, refused
from graphbus_core.build.commit.proof.payloads import samples
from graphbus_core.build.commit.proof.trial import Gate, Trial
from graphbus_core.build.confine import sandbox
from graphbus_core.build.scan import Project
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Link
from graphbus_core.model.operation import Operation
from graphbus_core.model.schema import SchemaMethod

Side = tuple[Project, Callable[[], AbstractContextManager[Path]]]  # as scanned, and what makes a new copy to run it in

MAX_SAID = 2_000  # characters of one finding
NOT_TRIED = "not tried"  # how the child says that a payload never reached the method


def ask(trial: Trial) -> Said:
    """Try the changed methods before and after; refused if something stops working that worked."""
    if not trial.rehearse:
        return not_run("only what rules agree on is rehearsed")
    before: Side = (trial.project, lambda: trial.copy(trial.applied.before))
    after: Side = (trial.after, lambda: trial.copy(trial.applied.left))
    broken = {m.link.id for m in trial.linked.mismatches}  # what such a link sends says nothing of the change
    made = calls(trial.after.everyone, [one for one in trial.linked.links if one.id not in broken], trial.diff)
    if not made:
        return not_run("no method is changed that could be called")
    tried = _run(after, made, trial.bounds)
    if tried is None:
        return not_run("the changed methods could not be called: the run broke off")
    if any(_breaks(said) for one in tried for said in one):
        # A second run costs seconds, so the state before is tried only where the state after fails.
        known = _run(before, calls(trial.project.agents, (), trial.diff), trial.bounds)
        why = verdict(made, tried, {_kind(said) for one in known or () for said in one if said})
        if why is not None:
            return refused(why)
    return _all_tried(made, tried)


def _all_tried(made: Sequence[Mapping[str, Any]], tried: Sequence[Sequence[str | None]]) -> Said:
    """Held, unless a method could not be tried at all: that is said, and never counted as a proof."""
    for call, said_of in zip(made, tried, strict=True):
        if all(said is not None and said.startswith(NOT_TRIED) for said in said_of):
            why = said_of[0].removeprefix(NOT_TRIED).lstrip(": ") if said_of and said_of[0] else "no payload was found"
            return not_run(f"{call['class']}.{call['method']} could not be called: {why}")
    return held()


GATE = Gate("rehearsal", ask, required=lambda trial: trial.rehearse)


def _run(side: Side, made: Sequence[Mapping[str, Any]], limits: sandbox.Limits) -> list[list[str | None]] | None:
    project, new_copy = side
    command = [sys.executable, "-m", "graphbus_core.build.commit.proof.rehearsal_child"]
    job = json.dumps(made).encode()  # by standard input: this side writes nothing where code runs
    with new_copy() as copy:
        path = import_path(copy, project)
        ran = sandbox.run(command, copy, at=project.root, limits=limits, python_path=path, given=job)
    last = ran.output.rstrip().rpartition("\n")[2]
    try:
        return _findings(json.loads(last), made) if ran.ok else None
    except (ValueError, RecursionError):
        return None


def _findings(told: Any, made: Sequence[Mapping[str, Any]]) -> list[list[str | None]] | None:
    """What the child said, if it has the form that was asked for: the code it ran may have written that itself."""
    if not isinstance(told, list) or len(told) != len(made):
        return None
    for one, call in zip(told, made, strict=True):
        if not isinstance(one, list) or len(one) != len(call["payloads"]):
            return None
        if not all(said is None or isinstance(said, str) for said in one):
            return None
    return [[None if said is None else said[:MAX_SAID] for said in one] for one in told]


def calls(agents: Iterable[AgentDefinition], links: Sequence[Link], diff: Iterable[Operation]) -> list[dict[str, Any]]:
    """What to try: each method that `diff` changes, with payloads that its producers allow; without links (the
    state before the change, where the links may not fit), or without producers, those that its own contract allows."""
    known = {a.name: a for a in agents}
    return [_call(known, links, agent, method) for agent, method in _changed(known, diff)]


def _changed(
    known: Mapping[str, AgentDefinition], diff: Iterable[Operation]
) -> list[tuple[AgentDefinition, SchemaMethod]]:
    """The methods that a diff changes; for a topic those that publish to it. Each once, in the diff's order."""
    wanted: dict[tuple[str, str], tuple[AgentDefinition, SchemaMethod]] = {}
    for op in diff:
        agent = known.get(op.node)
        if agent is None:
            continue
        names = [op.method] if op.method else [p.method for p in agent.publications if p.topic.name == op.topic]
        for name in names:
            if name and (method := agent.method(name)) is not None:
                wanted[op.node, name] = agent, method
    return list(wanted.values())


def _call(
    known: Mapping[str, AgentDefinition], links: Sequence[Link], agent: AgentDefinition, method: SchemaMethod
) -> dict[str, Any]:
    own = method.input_schema.json_schema if method.input_schema else {"type": "object", "properties": {}}
    into = [one for one in links if one.consumer == Endpoint(agent.name, method.name)]
    return {
        "module": agent.module,
        "class": agent.class_name,
        "method": method.name,
        "payloads": [p for link in into for p in _payloads(known, link, own)] or samples(own),
        "output": method.output_schema.json_schema if method.output_schema else None,
        "topics": {p.topic.name: p.schema.json_schema for p in agent.publications if p.schema},
        "answers": _answers(known, agent),
    }


def _payloads(known: Mapping[str, AgentDefinition], link: Link, own: Mapping[str, Any]) -> list[Any]:
    """What a link may bring. Fields that come from elsewhere are as the consumer's own contract wants them."""
    sent = _sent(known, link.producer)
    if sent is None:
        return []
    whole = samples(own)[:1] if link.beside else []
    rest = {k: v for one in whole for k, v in one.items() if k in link.beside or "*" in link.beside}
    return [{**rest, **one} for one in samples(sent)]


def verdict(
    made: Sequence[Mapping[str, Any]], after: Sequence[Sequence[str | None]], known: Collection[str] = ()
) -> str | None:
    """Why the change may not land: what goes wrong after it, and is not of a `known` kind. None: nothing to say."""
    for call, said_of in zip(made, after, strict=True):
        for payload, said in zip(call["payloads"], said_of, strict=False):
            if said and _breaks(said) and _kind(said) not in known:
                return f"{call['class']}.{call['method']} would not take {json.dumps(payload, default=str)}: {said}"
    return None


def _breaks(said: str | None) -> bool:
    return said is not None and not said.startswith(NOT_TRIED)


def _kind(said: str) -> str:
    return said.partition(":")[0]


def _answers(known: Mapping[str, AgentDefinition], agent: AgentDefinition) -> dict[str, Any]:
    """What the methods that this node calls may give: `Node.method` -> a payload that its contract promises."""
    found: dict[str, Any] = {}
    for name in {str(c) for m in agent.methods for c in m.metadata.get("calls", ())}:
        node, _, called = name.rpartition(".")
        method = known[node].method(called) if node in known else None
        if method is not None and method.output_schema is not None:
            found.update((name, one) for one in samples(method.output_schema.json_schema)[:1])
    return found


def _sent(agents: Mapping[str, AgentDefinition], end: Endpoint) -> Mapping[str, Any] | None:
    agent = agents.get(end.node)
    if agent is None:
        return None
    if end.topic:
        return next((p.schema.json_schema for p in agent.publications if p.topic.name == end.topic and p.schema), None)
    method = agent.method(end.method or "")
    return method.output_schema.json_schema if method and method.output_schema else None
