"""Rehearsal: the changed methods are called in the sandbox with payloads that they may be sent.

The rule negotiators know contracts, not code. So what they agree on is tried before it lands. A method is refused that
now raises a TypeError, KeyError, IndexError, AttributeError or NameError for a payload that its producers may send, an
empty list and an absent key among them, or that gives what its own contract does not promise; unless it did so before.
It proves nothing (behaviour is proved by `--verify`); it catches what would break at the first message.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from pathlib import Path
from typing import Any

from graphbus_core.analysis.scan import Project
from graphbus_core.commit.gates.trial import (
    Gate,
    GateAnswer,
    Trial,
    build_import_path,
    report_not_run,
    report_refused,
    report_tested,
)
from graphbus_core.contracts import Contract, validator
from graphbus_core.contracts.check import follow_references
from graphbus_core.contracts.inclusion.sampling import generate_candidates
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Link
from graphbus_core.model.operation import Operation
from graphbus_core.model.schema import SchemaMethod
from graphbus_core.sandbox import runner

# Payloads that a contract allows, the plainest first: what a rehearsal calls methods with.


SAMPLES = 6  # payloads a call is tried with, beside those at the edges
EDGES = 24  # payloads at the edges: an empty list, a key left out, a bound
TRIES = 400  # candidates looked at to find them


def sample_payloads(schema: Mapping[str, Any]) -> list[Any]:
    """A few payloads that this contract allows, the plainest first; then those at the edges of what is legal."""
    closed = Contract.from_json_schema(dict(schema)).closed
    check = validator(dict(schema)).check
    likely = [_build_typical_value(closed, closed, whole) for whole in (True, False)]
    names = set(schema.get("properties", {}))
    chosen: list[Any] = []
    for values, limit in (
        (chain(likely, islice(generate_candidates(closed, closed), TRIES)), SAMPLES),
        (islice(_iter_edges(likely[0], closed, closed), TRIES), SAMPLES + EDGES),
    ):
        for value in values:
            if len(chosen) == limit:
                break
            if isinstance(value, dict) and set(value) <= names and check(value) is None and value not in chosen:
                chosen.append(value)
    return chosen


def _iter_edges(value: Any, schema: Any, root: Any, depth: int = 0) -> Iterator[Any]:
    """A value with one part of it at an edge of its schema: a list empty, a key left out, a number at its bound."""
    if not isinstance(schema, Mapping) or depth > 8:
        return
    schema = follow_references(schema, root)
    for option in (schema.get("anyOf") or schema.get("oneOf") or ())[:4]:
        yield from _iter_edges(value, option, root, depth + 1)
    match value:
        case bool() | None:
            return
        case dict():
            for name, inner in value.items():
                if name not in schema.get("required", ()):
                    yield {key: part for key, part in value.items() if key != name}
                yield from ({**value, name: v} for v in _iter_edges(inner, _find_part(schema, name), root, depth + 1))
        case [first, *_]:
            yield []
            yield from ([edge] for edge in _iter_edges(first, schema.get("items"), root, depth + 1))
        case int() | float():
            yield from (schema[bound] for bound in ("minimum", "maximum") if bound in schema)
        case str():
            yield "x" * schema.get("minLength", 0)
            if 0 < schema.get("maxLength", 0) <= MAX_SAID:
                yield "x" * schema["maxLength"]


def _find_part(schema: Mapping[str, Any], name: str) -> Any:
    properties = schema.get("properties", {})
    return properties.get(name) if isinstance(properties, Mapping) else None


def _build_typical_value(schema: Any, root: Any, whole: bool, depth: int = 0) -> Any:
    """A value as it might well occur, with every optional field or none: no zero, no empty text, no round number."""
    if not isinstance(schema, Mapping) or depth > 8:
        return None
    schema = follow_references(schema, root)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return _build_typical_value(options[0] if whole else options[-1], root, whole, depth + 1)
    kinds = schema.get("type")
    match (kinds[0] if whole else kinds[-1]) if isinstance(kinds, list) else kinds:
        case "object":
            names = schema.get("properties", {}) if whole else schema.get("required", ())
            return {n: _build_typical_value(schema["properties"][n], root, whole, depth + 1) for n in names}
        case "array":
            return [_build_typical_value(schema["items"], root, whole, depth + 1)] if schema.get("items") else []
        case str() as kind:
            return _build_plain_value(kind, schema)


def _build_plain_value(kind: str, schema: Mapping[str, Any]) -> Any:
    if kind == "string":
        return "text".ljust(schema.get("minLength", 0), "t")[: schema.get("maxLength", MAX_SAID)]
    value = {"integer": 7, "number": 2.37, "boolean": True}.get(kind)
    if value is None or value is True:
        return value
    return max(schema.get("minimum", value), min(schema.get("maximum", value), value))


Side = tuple[Project, Callable[[], AbstractContextManager[Path]]]  # as scanned, and what makes a new copy to run it in

MAX_SAID = 2_000  # characters of one finding
NOT_TRIED = "not tried"  # how the child says that a payload never reached the method


def ask(trial: Trial) -> GateAnswer:
    """Try the changed methods before and after; refused if something stops working that worked."""
    if not trial.rehearse:
        return report_not_run("only what rules agree on is rehearsed")
    before: Side = (trial.project, lambda: trial.copy(trial.applied.before))
    after: Side = (trial.after, lambda: trial.copy(trial.applied.resulting_files))
    broken = {m.link.id for m in trial.links_after.mismatches}  # what such a link sends says nothing of the change
    broken |= {link.id for link in trial.links_after.unchecked}  # data flows there, and which is not known
    planned_calls = build_calls(
        trial.after.everyone, [entry for entry in trial.links_after.links if entry.id not in broken], trial.diff
    )
    if not planned_calls:
        return report_not_run("no method is changed that could be called")
    tried = _run(after, planned_calls, trial.bounds)
    if tried is None:
        return report_not_run("the changed methods could not be called: the run broke off")
    if any(_is_breakage(finding) for entry in tried for finding in entry):
        # A second run costs seconds, so the state before is tried only where the state after fails.
        findings_before = _run(before, build_calls(trial.project.agents, (), trial.diff), trial.bounds)
        why = explain_failure(
            planned_calls,
            tried,
            {_read_kind(finding) for entry in findings_before or () for finding in entry if finding},
        )
        if why is not None:
            return report_refused(why)
    return _check_all_tried(planned_calls, tried)


def _check_all_tried(planned_calls: Sequence[Mapping[str, Any]], tried: Sequence[Sequence[str | None]]) -> GateAnswer:
    """Held, unless a method could not be tried at all: that is reported, and never counted as a proof."""
    for call, said_of in zip(planned_calls, tried, strict=True):
        if all(finding is not None and finding.startswith(NOT_TRIED) for finding in said_of):
            why = said_of[0].removeprefix(NOT_TRIED).lstrip(": ") if said_of and said_of[0] else "no payload was found"
            return report_not_run(f"{call['class']}.{call['method']} could not be called: {why}")
    return report_tested()


GATE = Gate("rehearsal", ask, required=lambda trial: trial.rehearse)


def _run(
    side: Side, planned_calls: Sequence[Mapping[str, Any]], limits: runner.Limits
) -> list[list[str | None]] | None:
    project, new_copy = side
    command = [sys.executable, "-m", "graphbus_core.commit.gates.rehearsal_child"]
    job = json.dumps(planned_calls).encode()  # by standard input: this side writes nothing where code runs
    with new_copy() as copy:
        path = build_import_path(copy, project)
        ran = runner.run(command, copy, mount_path=project.root, limits=limits, python_path=path, stdin_data=job)
    last = ran.output.rstrip().rpartition("\n")[2]
    try:
        return _read_findings(json.loads(last), planned_calls) if ran.ok else None
    except (ValueError, RecursionError):
        return None


def _read_findings(reported: Any, planned_calls: Sequence[Mapping[str, Any]]) -> list[list[str | None]] | None:
    """What the child said, if it has the form that was asked for: the code it ran may have written that itself."""
    if not isinstance(reported, list) or len(reported) != len(planned_calls):
        return None
    for call_findings, call in zip(reported, planned_calls, strict=True):
        if not isinstance(call_findings, list) or len(call_findings) != len(call["payloads"]):
            return None
        if not all(finding is None or isinstance(finding, str) for finding in call_findings):
            return None
    return [
        [None if finding is None else finding[:MAX_SAID] for finding in call_findings] for call_findings in reported
    ]


def build_calls(
    agents: Iterable[AgentDefinition], links: Sequence[Link], diff: Iterable[Operation]
) -> list[dict[str, Any]]:
    """What to try: each method that `diff` changes, with payloads that its producers allow; without links (the
    state before the change, where the links may not fit), or without producers, those that its own contract allows."""
    agents_by_name = {a.name: a for a in agents}
    return [
        _build_call(agents_by_name, links, agent, method)
        for agent, method in _list_changed_methods(agents_by_name, diff)
    ]


def _list_changed_methods(
    agents_by_name: Mapping[str, AgentDefinition], diff: Iterable[Operation]
) -> list[tuple[AgentDefinition, SchemaMethod]]:
    """The methods that a diff changes; for a topic those that publish to it. Each once, in the diff's order."""
    methods: dict[tuple[str, str], tuple[AgentDefinition, SchemaMethod]] = {}
    for op in diff:
        agent = agents_by_name.get(op.node)
        if agent is None:
            continue
        names = [op.method] if op.method else [p.method for p in agent.publications if p.topic.name == op.topic]
        for name in names:
            if name and (method := agent.method(name)) is not None:
                methods[op.node, name] = agent, method
    return list(methods.values())


def _build_call(
    agents_by_name: Mapping[str, AgentDefinition], links: Sequence[Link], agent: AgentDefinition, method: SchemaMethod
) -> dict[str, Any]:
    own = method.input_schema.json_schema if method.input_schema else {"type": "object", "properties": {}}
    into = [candidate for candidate in links if candidate.consumer == Endpoint(agent.name, method.name)]
    sent = [(payload, link) for link in into for payload in _sample_link_payloads(agents_by_name, link, own)]
    own_payloads = [] if sent else sample_payloads(own)
    return {
        "module": agent.module,
        "class": agent.class_name,
        "method": method.name,
        "payload_parameter": method.payload_parameter,
        "payloads": [payload for payload, _ in sent] or own_payloads,
        "legal": [f"{link.producer} may send that" for _, link in sent]
        or ["its own contract allows that"] * len(own_payloads),
        "fields": list(method.input_schema.fields) if method.input_schema else [],
        "output": method.output_schema.json_schema if method.output_schema else None,
        "topics": {p.topic.name: p.schema.json_schema for p in agent.publications if p.schema},
        "answers": _collect_answers(agents_by_name, agent),
    }


def _sample_link_payloads(
    agents_by_name: Mapping[str, AgentDefinition], link: Link, own: Mapping[str, Any]
) -> list[Any]:
    """What a link may bring. Fields that come from elsewhere are as the consumer's own contract wants them."""
    sent = _find_sent_schema(agents_by_name, link.producer)
    if sent is None:
        return []
    if link.mapping is not None:
        sent = link.mapping.map_schema(sent)
    whole = sample_payloads(own)[:1] if link.beside else []
    rest = {k: v for payload in whole for k, v in payload.items() if k in link.beside or "*" in link.beside}
    return [{**rest, **payload} for payload in sample_payloads(sent)]


def explain_failure(
    planned_calls: Sequence[Mapping[str, Any]], after: Sequence[Sequence[str | None]], known_kinds: Collection[str] = ()
) -> str | None:
    """Why the change may not land: what goes wrong after it, and is not of a `known` kind. None: nothing to say."""
    for call, said_of in zip(planned_calls, after, strict=True):
        for payload, legal, finding in zip(call["payloads"], call["legal"], said_of, strict=False):
            if finding and _is_breakage(finding) and _read_kind(finding) not in known_kinds:
                return (
                    f"{call['class']}.{call['method']} was called with {json.dumps(payload, default=str)} ({legal}): "
                    f"{finding}. Let its code take that, or its contract say that it does not come."
                )
    return None


def _is_breakage(finding: str | None) -> bool:
    return finding is not None and not finding.startswith(NOT_TRIED)


def _read_kind(finding: str) -> str:
    return finding.partition(":")[0]


def _collect_answers(agents_by_name: Mapping[str, AgentDefinition], agent: AgentDefinition) -> dict[str, Any]:
    """What the methods that this node calls may give: `Node.method` -> a payload that its contract promises."""
    answers: dict[str, Any] = {}
    for name in {str(c) for m in agent.methods for c in m.metadata.get("calls", ())}:
        node, _, method_name = name.rpartition(".")
        method = agents_by_name[node].method(method_name) if node in agents_by_name else None
        if method is not None and method.output_schema is not None:
            answers.update((name, payload) for payload in sample_payloads(method.output_schema.json_schema)[:1])
    return answers


def _find_sent_schema(agents: Mapping[str, AgentDefinition], end: Endpoint) -> Mapping[str, Any] | None:
    agent = agents.get(end.node)
    if agent is None:
        return None
    if end.topic:
        return next((p.schema.json_schema for p in agent.publications if p.topic.name == end.topic and p.schema), None)
    method = agent.method(end.method or "")
    return method.output_schema.json_schema if method and method.output_schema else None
