"""A gate for changes that nobody read: the changed methods are called in the sandbox with payloads they may be sent.

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
from itertools import chain, islice
from pathlib import Path
from typing import Any

from graphbus_core.build.commit.proof.gates import Failed, import_path
from graphbus_core.build.confine import sandbox
from graphbus_core.build.scan import Project
from graphbus_core.contracts import Contract, validator
from graphbus_core.contracts.gaps import resolve
from graphbus_core.contracts.inclusion.sampling import candidates
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Link
from graphbus_core.model.operation import Operation

Side = tuple[Project, Callable[[], AbstractContextManager[Path]]]  # as scanned, and what makes a new copy to run it in

SAMPLES = 6  # payloads a call is tried with
TRIES = 400  # candidates looked at to find them
MAX_SAID = 2_000  # characters of one finding


def gate(
    before: Side, after: Side, links: Sequence[Link], diff: Sequence[Operation], limits: sandbox.Limits
) -> Failed | None:
    """Try the changed methods before and after; the reason if something stops working that worked."""
    made = calls(after[0].agents, links, diff)
    tried = _run(after, made, limits)
    if tried is None or not any(said for one in tried for said in one):
        return None  # nothing breaks, or nothing could be tried: behaviour is for --verify
    known = _run(before, calls(before[0].agents, (), diff), limits)
    why = verdict(made, tried, {_kind(said) for one in known or () for said in one if said})
    return None if why is None else Failed("rehearsal", why)


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
    wanted: dict[tuple[str, str], None] = {}
    for op in diff:
        agent = known.get(op.node)
        if agent is None:
            continue
        names = [op.method] if op.method else [p.method for p in agent.publications if p.topic.name == op.topic]
        wanted.update({(op.node, n): None for n in names if n and agent.method(n) is not None})
    made = []
    for node, name in wanted:
        agent, method = known[node], known[node].method(name)
        assert method is not None
        feeds = [_sent(known, link.producer) for link in links if link.consumer == Endpoint(node, name, None)]
        feeds += [_sent(known, link.producer) for link in links if _is_handler(link.consumer, node, name)]
        own = [method.input_schema.json_schema] if method.input_schema else [{"type": "object", "properties": {}}]
        payloads = [p for schema in [f for f in feeds if f is not None] or own for p in samples(schema)]
        topics = {p.topic.name: p.schema.json_schema for p in agent.publications if p.schema}
        made.append(
            {
                "module": agent.module,
                "class": agent.class_name,
                "method": name,
                "payloads": payloads,
                "output": method.output_schema.json_schema if method.output_schema else None,
                "topics": topics,
            }
        )
    return made


def samples(schema: Mapping[str, Any]) -> list[Any]:
    """A few payloads that this contract allows, the plainest first."""
    closed = Contract.from_json_schema(dict(schema)).closed
    check = validator(dict(schema)).check
    likely = (_typical(closed, closed, whole) for whole in (True, False))
    tried = chain(likely, islice(candidates(closed, closed), TRIES))
    allowed = (v for v in tried if isinstance(v, dict) and check(v) is None)
    found: list[Any] = []
    for value in allowed:
        if value not in found and set(value) <= set(schema.get("properties", {})):
            found.append(value)
        if len(found) == SAMPLES:
            break
    return found


def _typical(schema: Any, root: Any, whole: bool, depth: int = 0) -> Any:
    """A value as it might well occur, with every optional field or none: no zero, no empty text, no round number."""
    if not isinstance(schema, Mapping) or depth > 8:
        return None
    schema = resolve(schema, root)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return _typical(options[0] if whole else options[-1], root, whole, depth + 1)
    kinds = schema.get("type")
    match (kinds[0] if whole else kinds[-1]) if isinstance(kinds, list) else kinds:
        case "object":
            wanted = schema.get("properties", {}) if whole else schema.get("required", ())
            return {n: _typical(schema["properties"][n], root, whole, depth + 1) for n in wanted}
        case "array":
            return [_typical(schema["items"], root, whole, depth + 1)] if schema.get("items") else []
        case str() as kind:
            return {"integer": 7, "number": 2.37, "string": "text", "boolean": True}.get(kind)
    return "text"


def verdict(
    made: Sequence[Mapping[str, Any]], after: Sequence[Sequence[str | None]], known: Collection[str] = ()
) -> str | None:
    """Why the change may not land: what goes wrong after it, and is not of a `known` kind. None: nothing to say."""
    for call, said_of in zip(made, after, strict=True):
        for payload, said in zip(call["payloads"], said_of, strict=False):
            if said and _kind(said) not in known:
                return f"{call['class']}.{call['method']} would not take {json.dumps(payload, default=str)}: {said}"
    return None


def _kind(said: str) -> str:
    return said.partition(":")[0]


def _is_handler(end: Endpoint, node: str, name: str) -> bool:
    return end.node == node and end.method == name and end.topic is not None


def _sent(agents: Mapping[str, AgentDefinition], end: Endpoint) -> Mapping[str, Any] | None:
    agent = agents.get(end.node)
    if agent is None:
        return None
    if end.topic:
        return next((p.schema.json_schema for p in agent.publications if p.topic.name == end.topic and p.schema), None)
    method = agent.method(end.method or "")
    return method.output_schema.json_schema if method and method.output_schema else None
