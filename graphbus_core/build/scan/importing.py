"""The importing reader: what source alone does not tell is asked of a child process that imports the file.

The project's code never runs in this process. The child has a time limit, an isolated interpreter and no access to
our streams.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphbus_core.build.scan.extractor import Draft, Open
from graphbus_core.build.scan.layout import Layout
from graphbus_core.errors import ScanError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import Schema, SchemaMethod
from graphbus_core.model.topic import Publication, Subscription, Topic

TIMEOUT_S = 60.0


def complete(drafts: Sequence[Draft], layout: Layout) -> list[Draft]:
    """Fill in what is open. A class that turns out not to be there is dropped.

    Raises ScanError that names file, line, what is open and why the import did not tell.
    """
    waiting = [d for d in drafts if d.open]
    if not waiting:
        return list(drafts)
    modules: dict[str, list[str]] = {}
    for draft in waiting:
        modules.setdefault(draft.agent.module, []).append(draft.agent.class_name)
    answers = _ask(modules, layout)
    filled: list[Draft] = []
    for draft in drafts:
        if draft.open:
            agent = _fill(draft, answers.get(draft.agent.module, {"error": "the child process did not answer"}))
            if agent is not None:
                filled.append(Draft(agent))
        else:
            filled.append(draft)
    return filled


def _ask(modules: Mapping[str, Sequence[str]], layout: Layout) -> dict[str, Any]:
    import subprocess  # both only here: most builds ask nothing, and pay nothing
    import tempfile

    roots = [str(layout.root / base) if base else str(layout.root) for base in layout.import_roots]
    ours = str(Path(__file__).resolve().parents[3])  # where graphbus_core itself is imported from
    path = [*roots, *(os.path.abspath(p) if p else os.getcwd() for p in sys.path), ours]
    with tempfile.TemporaryDirectory(prefix="graphbus-scan-") as scratch:
        answer = Path(scratch, "answer.json")
        question = {"path": list(dict.fromkeys(path)), "modules": modules, "answer": str(answer)}
        child = Path(__file__).with_name("child.py")
        try:
            done = subprocess.run(
                [sys.executable, "-I", str(child)],
                input=json.dumps(question).encode(),
                capture_output=True,
                timeout=TIMEOUT_S,
                cwd=layout.root,
                env=_environment(),
            )
        except subprocess.TimeoutExpired:
            failed = f"importing it took longer than {TIMEOUT_S:.0f} s"
            return {name: {"error": failed} for name in modules}
        try:
            answers: dict[str, Any] = json.loads(answer.read_bytes())
        except (OSError, ValueError):
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()
            failed = last[-1] if last else f"the process ended with code {done.returncode}"
            return {name: {"error": failed} for name in modules}
        return answers


def _environment() -> dict[str, str]:
    """No keys: only what an interpreter needs (design §13)."""
    kept = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "VIRTUAL_ENV")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _fill(draft: Draft, answer: Mapping[str, Any]) -> AgentDefinition | None:
    agent, first = draft.agent, draft.open[0]
    if "error" in answer:
        raise _unread(agent, first, answer["error"])
    live = answer["classes"].get(agent.class_name)
    if live is None:
        if any(o.slot == "class" for o in draft.open):
            return None  # the condition did not hold, or the computed base is no node
        raise _unread(agent, first, f"the module has no node class {agent.class_name}")
    if "error" in live:
        raise _unread(agent, first, live["error"])
    slots = {o.slot for o in draft.open}
    whole = "class" in slots
    if whole and live["abstract"]:
        return None
    if whole or any(s.startswith("method:") for s in slots):
        agent = replace(agent, methods=_methods(agent, live, slots, whole))
    if whole or "subscriptions" in slots:
        listed = [Subscription(agent.name, Topic(topic), handler) for topic, handler in live["subscriptions"]]
        agent = replace(agent, subscriptions=tuple(dict.fromkeys(listed)))
    if whole or "publications" in slots or any(s.startswith("payload:") for s in slots):
        agent = replace(agent, publications=_publications(agent, live))
    if whole or "depends_on" in slots:
        agent = replace(agent, depends_on=tuple(dict.fromkeys([*live["depends_on"], *agent.depends_on])))
    if whole or "attributes" in slots:
        prompt = SystemPrompt.from_dict(live["prompt"])
        metadata = {**agent.metadata, "is_arbiter": live["is_arbiter"], "model": live["model"]}
        agent = replace(agent, system_prompt=prompt, metadata=metadata)
    return replace(agent, metadata={**agent.metadata, "imported": sorted(slots), "unreadable": _unreadable(live)})


def _methods(agent: AgentDefinition, live: Mapping[str, Any], slots: set[str], whole: bool) -> tuple[SchemaMethod, ...]:
    made: list[SchemaMethod] = []
    for method in agent.methods:
        told = live["methods"].get(method.name)
        for side in ("input", "output"):
            if told is not None and (whole or f"method:{method.name}:{side}" in slots):
                before: Schema | None = getattr(method, f"{side}_schema")
                schema = _schema(told[side], before.source if before else None)
                method = replace(method, **{f"{side}_schema": schema})  # type: ignore[arg-type]
        if told is not None and (whole or f"method:{method.name}:depends_on" in slots):
            method = replace(method, depends_on=tuple(dict.fromkeys([*method.depends_on, *told["depends_on"]])))
        made.append(method)
    known = {m.name for m in made}
    for name, told in live["methods"].items():
        if name not in known and whole:
            made.append(
                SchemaMethod(
                    name,
                    _schema(told["input"]),
                    _schema(told["output"]),
                    told["description"],
                    depends_on=tuple(told["depends_on"]),
                    lineno=told["lineno"],
                )
            )
    return tuple(made)


def _publications(agent: AgentDefinition, live: Mapping[str, Any]) -> tuple[Publication, ...]:
    """What the class declares, and what was found in its source beside it."""
    lines = {(p.topic.name, p.method): p.lineno for p in agent.publications}
    declared = [
        Publication(agent.name, Topic(topic), _schema(schema), method, lines.get((topic, method), 0))
        for topic, schema, method in live["publications"]
    ]
    known = {p.topic.name for p in declared}
    return (*declared, *(p for p in agent.publications if p.topic.name not in known))


def _schema(told: Mapping[str, Any] | None, source: str | None = None) -> Schema | None:
    """A contract as the child told it; None also for one that means nothing (`_unreadable` names those)."""
    if told is None or "error" in told:
        return None
    return Schema(told["schema"], source, told["schema"].get("description"))


def _unreadable(live: Mapping[str, Any]) -> dict[str, str]:
    """Declared contracts that mean nothing: where -> why."""
    sides = {f"{name} {side}": told[side] for name, told in live["methods"].items() for side in ("input", "output")}
    payloads = {f"payload of {topic}": schema for topic, schema, _ in live["publications"]}
    return {where: told["error"] for where, told in {**sides, **payloads}.items() if told and "error" in told}


def _unread(agent: AgentDefinition, at: Open, error: str) -> ScanError:
    return ScanError(
        f"{agent.source_file}:{at.lineno} {agent.class_name} cannot be read from source ({at.reason}), "
        f"and importing {agent.module} did not tell either: {error}. Make it importable, write it out, "
        "or leave the file out with --exclude."
    )
