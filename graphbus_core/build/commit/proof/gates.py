"""What a commit must pass, cheapest first (design §7). A gate says why not, in words that its proposer can act on.

limits      how many files, which are protected
path        the door lets each file through
applies     every operation is carried out and followed, or refused with the lines
parses      every changed file compiles, and the project can be scanned
contracts   the contracts that changed are those that the operations declare, and none else
mismatches  no link fits worse than before
imports     the changed modules import, and what imports them, in the sandbox
rehearsal   where rules negotiate: the changed methods take what they may be sent (`build.rehearsal`)
verify      the user's own command agrees, in the sandbox
"""

from __future__ import annotations

import json
import re
import secrets
import shlex
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.build.confine import sandbox
from graphbus_core.build.link import Linked, contracts_of
from graphbus_core.build.scan import Project
from graphbus_core.contracts import apply_operation, changes
from graphbus_core.contracts.gaps import gaps
from graphbus_core.errors import ContractError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Mismatch
from graphbus_core.model.operation import (
    AddMethod,
    DeleteMethod,
    FieldOperation,
    Operation,
    RenameMethod,
    ReplaceBody,
)
from graphbus_core.negotiation.proposal.weighed.protection import protector

Slot = tuple[str, str, str]  # node, method or topic, side
VERIFY_OUTPUT = 2_000_000  # bytes of it that are read: the last line of `--verify auto` must be among them
OUTPUT_KEPT = 6_000  # characters of a command's output that a receipt keeps


@dataclass(frozen=True)
class Failed:
    """A gate said no."""

    gate: str
    reason: str


# ---- limits


def limits(files: Sequence[str], given: Mapping[str, Any]) -> Failed | None:
    """How many files one commit and a whole build may change, and which are protected."""
    for path in files:
        if (pattern := protector(given.get("protected_files") or (), path)) is not None:
            return Failed("limits", f"{path} is protected (protected_files has {pattern!r}).")
    most = given.get("max_file_changes_per_commit")
    if most is not None and len(files) > most:
        return Failed(
            "limits",
            f"it changes {len(files)} files ({', '.join(files)}); a commit may change {most}. Make it smaller.",
        )
    total = given.get("max_total_file_changes")
    all_files = {*files, *(given.get("files_changed") or ())}
    if total is not None and len(all_files) > total:
        return Failed("limits", f"with it this build would change {len(all_files)} files; at most {total} are allowed.")
    return None


# ---- contracts


def contracts(
    before: Sequence[AgentDefinition],
    after: Sequence[AgentDefinition],
    diff: Sequence[Operation],
    unchanged: Collection[Operation] = (),
    resolve: Callable[[str], Any] | None = None,
    known: Mapping[Slot, Any] | None = None,
) -> Failed | None:
    """Whether exactly the declared contracts changed. Names the first that was not declared.

    `known`: contracts that must come out just so (an undo knows what was there before).
    """
    known = known or {}
    expected = slots(before)
    renamed: dict[tuple[str, str], str] = {}
    free: set[tuple[str, str]] = set()  # methods whose code an operation carries
    for op in diff:
        if isinstance(op, FieldOperation):
            slot = (op.node, op.method or op.topic or "", op.side)
            if slot not in expected:
                return Failed("contracts", f"{op.symbol} has no {op.side} contract in this project.")
            try:
                extra = {"resolve": resolve} if resolve is not None else {}
                expected[slot] = apply_operation(expected[slot], op, **extra)
            except ContractError as e:
                if op not in unchanged and slot not in known:
                    return Failed("contracts", str(e))
        elif isinstance(op, RenameMethod) and op.method:
            for side in ("input", "output"):
                if (op.node, op.method, side) in expected:
                    expected[op.node, op.to, side] = expected.pop((op.node, op.method, side))
            renamed[op.node, op.method] = op.to
        elif isinstance(op, DeleteMethod) and op.method:
            for side in ("input", "output"):
                expected.pop((op.node, op.method, side), None)
            free.add((op.node, op.method))
        elif isinstance(op, AddMethod | ReplaceBody) and op.method:
            free.add((op.node, op.method))
    expected.update(known)
    added = {(op.node, op.method) for op in diff if isinstance(op, AddMethod)}
    actual = {k: v for k, v in slots(after).items() if k[2] == "payload" or (k[0], k[1]) not in added}
    published = {(a.name, p.topic.name) for a in after for p in a.publications if (a.name, p.method or "") in free}
    for slot in sorted({*expected, *actual}):
        if slot[2] == "payload" and (slot[0], slot[1]) in published and slot not in expected:
            continue
        if slot not in expected or slot not in actual:
            if slot[2] == "payload" and slot not in actual and _published_by(before, slot, free):
                continue
            what = "appears" if slot not in expected else "is gone"
            return Failed("contracts", f"{_name(slot)} {what}, though no operation declares that.")
        if not _equal(expected[slot], actual[slot]):
            return Failed("contracts", _undeclared(slot, expected[slot], actual[slot], diff))
    return _rest(before, after, diff, renamed, free)


def slots(agents: Iterable[AgentDefinition]) -> dict[Slot, Mapping[str, Any] | None]:
    """Every contract of a project: by node, method or topic, and side; None where it is not declared."""
    found: dict[Slot, Mapping[str, Any] | None] = {}
    for agent in agents:
        for method in agent.methods:
            found[agent.name, method.name, "input"] = method.input_schema.json_schema if method.input_schema else None
            found[agent.name, method.name, "output"] = (
                method.output_schema.json_schema if method.output_schema else None
            )
        for one in agent.publications:
            key = (agent.name, one.topic.name, "payload")
            if found.get(key) is None:
                found[key] = one.schema.json_schema if one.schema else None
    return found


def _published_by(agents: Sequence[AgentDefinition], slot: Slot, free: set[tuple[str, str]]) -> bool:
    return any(
        (a.name, p.method or "") in free
        for a in agents
        if a.name == slot[0]
        for p in a.publications
        if p.topic.name == slot[1]
    )


def _name(slot: Slot) -> str:
    node, name, side = slot
    return f"{node} -> {name}" if side == "payload" else f"{node}.{name}.{side}"


_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})  # name -> schema
_DATA = frozenset({"const", "enum", "examples"})  # values, which are compared as they are


def _canonical(schema: Any) -> Any:
    """A schema without what proves nothing: its title and default. Fields of these names are fields."""
    if isinstance(schema, Mapping):
        made: dict[str, Any] = {}
        for key, value in schema.items():
            if key in ("default", "title"):
                continue
            if key in _NAMED and isinstance(value, Mapping):
                made[key] = {name: _canonical(inner) for name, inner in value.items()}
            elif key in _DATA:
                made[key] = value
            else:
                made[key] = sorted(value) if key == "required" and isinstance(value, list) else _canonical(value)
        return made
    return [_canonical(v) for v in schema] if isinstance(schema, list) else schema


def _equal(expected: Mapping[str, Any] | None, actual: Mapping[str, Any] | None) -> bool:
    if expected is None or actual is None:
        return expected is None and actual is None
    return bool(_canonical(expected) == _canonical(actual)) or not changes(expected, actual)


def _undeclared(slot: Slot, expected: Any, actual: Any, diff: Sequence[Operation]) -> str:
    declared = any(isinstance(op, FieldOperation) and (op.node, op.method or op.topic, op.side) == slot for op in diff)
    told = [str(c.path) for c in changes(expected or {"type": "object"}, actual or {"type": "object"})]
    fields = ", ".join(f"{_name(slot)}.{path}" if path else _name(slot) for path in dict.fromkeys(told)) or _name(slot)
    if declared:
        return f"{fields} came out other than the operations declare. Name every field that changes."
    return f"{fields} changed as well, though no operation declares it. Name it in the diff, or leave it as it is."


def _rest(
    before: Sequence[AgentDefinition],
    after: Sequence[AgentDefinition],
    diff: Sequence[Operation],
    renamed: Mapping[tuple[str, str], str],
    free: set[tuple[str, str]],
) -> Failed | None:
    """Everything else that a node says of itself: who listens where, who needs whom, who is arbiter."""
    old, new = ({a.name: a for a in agents} for agents in (before, after))
    if set(old) != set(new):
        return Failed("contracts", f"nodes appear or are gone: {', '.join(sorted(set(old) ^ set(new)))}.")
    touched = {(op.node, op.method) for op in diff if op.method}
    for name, agent in old.items():
        now = new[name]

        def listens(a: AgentDefinition, *, moved: bool) -> set[tuple[str, str]]:
            found = set()
            for s in a.subscriptions:
                handler = renamed.get((a.name, s.handler_name), s.handler_name) if moved else s.handler_name
                if (a.name, s.handler_name) not in free:
                    found.add((s.topic.name, handler))
            return found

        if listens(agent, moved=True) != listens(now, moved=False):
            return Failed("contracts", f"{name} would listen to other topics, though no operation declares that.")
        for what in ("depends_on", "system_prompt"):
            changed = getattr(agent, what) != getattr(now, what)
            if changed and not (what == "depends_on" and any(n == name for n, _ in free)):
                return Failed("contracts", f"{name}.{what} changed, though no operation declares that.")
        for key in ("is_arbiter", "model", "overrides", "bases"):
            if agent.metadata.get(key) != now.metadata.get(key) and not any(n == name for n, _ in free):
                return Failed("contracts", f"{name}: {key} changed, though no operation declares that.")
        for method in agent.methods:
            other = now.method(method.name)
            if other is None or (name, method.name) in touched:
                continue
            if [replace(p, annotation=None) for p in method.parameters] != [
                replace(p, annotation=None) for p in other.parameters
            ]:
                return Failed(
                    "contracts", f"the parameters of {name}.{method.name} changed, though no operation says so."
                )
    return None


# ---- links


def mismatches(
    before: tuple[Sequence[AgentDefinition], Linked], after: tuple[Sequence[AgentDefinition], Linked]
) -> Failed | None:
    """Whether a link fits worse than before; with the payload that proves it.

    A link that did not fit before may still not fit, as long as no field of it fails that did not fail before.
    """
    known = {m.link.id for m in before[1].mismatches}
    for mismatch in after[1].mismatches:
        now = _gaps(mismatch, after[0])
        if mismatch.link.id not in known or not now or not now <= _gaps(mismatch, before[0]):
            return Failed("mismatches", _broken(mismatch))
    return None


def _gaps(mismatch: Mismatch, agents: Sequence[AgentDefinition]) -> set[str]:
    """The path of every field that fails on this link."""
    pairs = contracts_of(mismatch.link, {a.name: a for a in agents})
    return {
        gap.path
        for sent, taken in pairs
        if sent is not None and taken is not None
        for gap in gaps(sent.json_schema, taken.json_schema)
    }


def _broken(mismatch: Mismatch) -> str:
    text = f"it breaks {mismatch.link.producer} => {mismatch.link.consumer}: {'; '.join(mismatch.reasons)}"
    if mismatch.counterexample is not None:
        payload = json.dumps(mismatch.counterexample, ensure_ascii=False, default=str)
        return f"{text}. For example {payload[:500]} may be sent, and is not accepted."
    return f"{text}."


# ---- running code

_IMPORT = """
import importlib, json, sys
changed, importers = json.loads(sys.argv[1])
for name, classes in changed.items():
    try:
        module = importlib.import_module(name)
        for one in classes:
            at = module
            for part in one.split("."):
                at = getattr(at, part)
    except BaseException as e:
        print(f"{name}: {type(e).__name__}: {e}")
        sys.exit(3)
failed = {}
for name in importers:
    try:
        importlib.import_module(name)
    except BaseException as e:
        failed[name] = f"{name}: {type(e).__name__}: {e}"
        print(f"{name}: {type(e).__name__}: {e}")
print("failed " + json.dumps(failed) if failed else "imported")
"""


def imports(
    modules: Mapping[str, Sequence[str]],
    scratch: Path,
    project: Project,
    limits: sandbox.Limits,
    baseline: Callable[[], Path] | None = None,
) -> tuple[Failed | None, str | None]:
    """Whether the changed modules import, and all of the project that imports them. Faults of before are a note.

    `modules`: dotted name -> the classes that must be in it. `baseline` gives a copy without the change.
    """
    others = importers(project, modules)
    ran = _import(modules, others, scratch, project, limits)
    if ran.ok and ran.output.rstrip().endswith("imported"):
        return None, None
    why, failed = _last_line(ran), _failed(ran)
    if failed:
        why = next(iter(failed.values()))
    if baseline is not None and ran.stopped is None:
        before = _import(modules, others, baseline(), project, limits)
        old = _failed(before)
        if failed and before.ok:
            new = [text for name, text in failed.items() if name not in old]
            if not new:
                return None, f"{', '.join(failed)} did not import before the change either ({why})."
            return Failed("imports", f"what imports the changed code no longer does: {new[0]}"), None
        if not failed and not before.ok and before.stopped is None and _last_line(before) == why:
            return None, f"the import failed before the change as well ({why}); imports were not proved."
    if others and not failed and baseline is not None:  # one of them ends the interpreter, or never ends
        alone = _import(modules, (), scratch, project, limits)
        if alone.ok and alone.output.rstrip().endswith("imported"):
            return None, f"what imports the changed code could not be tried ({why})."
    return Failed("imports", f"the changed code does not import: {why}"), None


def importers(project: Project, changed: Collection[str]) -> list[str]:
    """The modules that were read for the project and import a changed one, by way of others as well."""
    readings = [r for path in project.files if (r := project.cache.readings.get(path)) is not None]
    reached = set(changed)
    while True:
        more = {r.name for r in readings if r.name not in reached and not reached.isdisjoint(r.imports)}
        if not more:
            return sorted(n for n in reached - set(changed) if n.rpartition(".")[2] != "__main__")
        reached |= more


def _failed(ran: sandbox.Ran) -> dict[str, str]:
    """What the script says of modules that import a changed one: name -> why it does not import."""
    last = ran.output.rstrip().rpartition("\n")[2]
    try:
        found = json.loads(last.removeprefix("failed ")) if last.startswith("failed {") else {}
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in found.items()}


def _import(
    modules: Mapping[str, Sequence[str]],
    others: Sequence[str],
    scratch: Path,
    project: Project,
    limits: sandbox.Limits,
) -> sandbox.Ran:
    command = [sys.executable, "-c", _IMPORT, json.dumps([modules, others])]
    return sandbox.run(command, scratch, at=project.root, limits=limits, python_path=import_path(scratch, project))


def import_path(scratch: Path, project: Project) -> list[str]:
    """Where imports start, in the copy."""
    return [str(scratch / base) if base else str(scratch) for base in project.layout.import_roots]


def cannot_start(command: str, scratch: Path, project: Project) -> str | None:
    """Why a command line names a program that is not there; None where it is, or where only the shell can tell."""
    try:
        words = shlex.split(command)
    except ValueError as e:
        return f"{e}."
    word = next((w for w in words if not re.match(r"[A-Za-z_]\w*=", w)), "")
    if not re.fullmatch(r"[\w./+-]+", word) or command == "auto":
        return None
    asked = ["/bin/sh", "-c", f"command -v -- {word}"]
    ran = sandbox.run(asked, scratch, at=project.root, python_path=import_path(scratch, project))
    if ran.returncode not in (1, 126, 127) or ran.stopped is not None:
        return None
    return f"there is no {word} where it would run, {sandbox.describe().kind} around a copy of {project.root}."


def verify(
    command: str, scratch: Path, project: Project, timeout_s: float, stop: threading.Event | None = None
) -> tuple[Failed | None, dict[str, Any], str | None]:
    """Run the user's own command on the copy; what it says is binding. Also gives what to keep of it, and a note."""
    argv = ["/bin/sh", "-c", command]
    if command == "auto":
        if not _has_tests(scratch):
            return (
                None,
                {"command": "auto", "skipped": "no tests"},
                "--verify auto found no tests; behaviour was not proved.",
            )
        child = "graphbus_core.build.commit.proof.pytest_child"
        argv = [sys.executable, "-m", child, "-q", "-x", "-p", "no:cacheprovider"]
    word = secrets.token_hex(16) if command == "auto" else ""
    bounds = sandbox.Limits(
        timeout_s=timeout_s, memory_mb=4096, processes=256, file_mb=256, output_bytes=VERIFY_OUTPUT, stop=stop
    )
    path = import_path(scratch, project)
    ran = sandbox.run(argv, scratch, at=project.root, limits=bounds, python_path=path, given=word.encode())
    told, ran = _told(ran, word) if word else ({}, ran)
    kept = {
        "command": command if command != "auto" else "python -m pytest -q -x",
        "returncode": ran.returncode,
        "stopped": ran.stopped,
        "output": ran.output[-OUTPUT_KEPT:],
    }
    if command == "auto" and ran.stopped is None and told.get("code") == 5 == ran.returncode:
        return None, kept, "--verify auto: pytest found no tests; behaviour was not proved."
    if command == "auto" and ran.ok:
        if told.get("code") != 0:
            why = "it ended with success, but before its tests were over, as when a test or your code calls os._exit(0)"
            return Failed("verify", f"{kept['command']} says no ({why}):\n{_tail(ran)}"), kept, None
        if not told.get("passed"):
            return None, kept, "--verify auto: no test passed, all were skipped; behaviour was not proved."
    if ran.ok:
        return None, kept, None
    why = f"it was stopped: too much {ran.stopped}" if ran.stopped else f"it ended with {ran.returncode}"
    return Failed("verify", f"{kept['command']} says no ({why}):\n{_tail(ran)}"), kept, None


def _told(ran: sandbox.Ran, word: str) -> tuple[dict[str, Any], sandbox.Ran]:
    """What the run said of itself at its end, and the run without that line."""
    before, found, line = ran.output.rstrip().rpartition(f"\n{word} ")
    try:
        said = json.loads(line) if found else {}
    except ValueError:
        said = {}
    return (said if isinstance(said, dict) else {}), replace(ran, output=before if found else ran.output)


def _tail(ran: sandbox.Ran) -> str:
    return "\n".join(ran.output.rstrip().splitlines()[-15:])


def _has_tests(scratch: Path) -> bool:
    return any(p.name.startswith("test_") or p.name.endswith("_test.py") for p in scratch.rglob("*test*.py"))


def _last_line(ran: sandbox.Ran) -> str:
    if ran.stopped:
        return f"it was stopped: too much {ran.stopped}, after {ran.seconds:.0f} s"
    lines = [line for line in ran.output.strip().splitlines() if line.strip()]
    return lines[-1][:500] if lines else f"the interpreter ended with {ran.returncode}"
