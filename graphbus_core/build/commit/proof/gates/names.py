"""Names: in changed code every name is defined, every attribute is there, every path gives what was promised."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from typing import Any

from graphbus_core.build.commit.proof import slips
from graphbus_core.build.commit.proof.gate_ends import Said, proved, refused
from graphbus_core.build.commit.proof.trial import Gate, Trial
from graphbus_core.build.commit.proof.unbound import unbound_names
from graphbus_core.build.lint import lint
from graphbus_core.build.scan import Project
from graphbus_core.node_base import GraphBusNode

# What a method may count on, having nothing but GraphBusNode above its class.
INHERITED = frozenset(dir(GraphBusNode)) | frozenset(dir(object))
# Findings of the lint that mean broken code where they are new: code that no longer keeps its own contract.
BROKEN = frozenset({"undeclared_returned_field", "missing_returned_field", "returned_type"})


def ask(trial: Trial) -> Said:
    """Compare before and after; the first new slip refuses, with where it stands."""
    for path in trial.files:
        before, after = trial.applied.before[path], trial.applied.after[path]
        old = {_without_line(one) for one in _names(before, path)}
        new = [one for one in sorted(_names(after, path)) if _without_line(one) not in old]
        if new:
            return refused(f"{new[0]}.")
    stood = {found[:2] for found in _findings(trial.project)}
    changed = {agent.name for agent in trial.after.agents if agent.source_file in trial.applied.after}
    for finding in _findings(trial.after, changed):
        if finding[:2] not in stood:
            return refused(finding[-1])
    return proved("from the text alone; a type checker says more")


GATE = Gate("names", ask)


def _names(source: bytes, path: str) -> set[str]:
    return slips.undefined_names(source, path) | unbound_names(source, path)


def _without_line(finding: str) -> str:
    return finding.rpartition(" (line")[0]


def _findings(project: Project, only: set[str] | None = None) -> Iterator[tuple[str, ...]]:
    """What is wrong, as (place, kind, sentence): the first two are compared, since a sentence may hold a line."""
    for found in lint(project):
        node = found.method.rpartition(".")[0]
        if found.kind in BROKEN and (only is None or node in only):
            yield found.method, found.kind, found.message
    for agent in project.agents:
        if only is not None and agent.name not in only:
            continue
        cls = _class(agent.source_code)
        if cls is None:
            continue
        bases = [ast.unparse(b).rpartition(".")[2] for b in cls.bases]
        for name in sorted(slips.missing_attributes(cls, INHERITED if bases == ["GraphBusNode"] else None)):
            yield f"{agent.name}.{name}", "attribute", f"{agent.name} reads self.{name}, which nothing gives it."
        promised = {m.name: m.output_schema for m in agent.methods if _promises(m.output_schema)}
        for function in cls.body:
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name in promised:
                yield from _unkept(f"{agent.name}.{function.name}", function, promised[function.name])


def _unkept(where: str, function: ast.FunctionDef | ast.AsyncFunctionDef, output: Any) -> Iterator[tuple[str, ...]]:
    """Where a method that promises an object gives none, or gives one with keys that nobody declared."""
    if slips.falls_through(function):
        yield where, "path", f"{where}: a path through it ends without returning what its contract promises."
    elif slips.is_generator(function):
        yield where, "yields", f"{where} yields, so a call gives an iterator; its contract promises an object."
    elif slips.returns_no_object(function):
        yield where, "bare", f"{where} returns no object on one path; its contract promises one."
    fields = output.json_schema.get("properties", {})
    for key in sorted(slips.undeclared_keys(function, fields)) if fields else ():
        yield f"{where}.{key}", "key", f"{where} returns {key!r}, which its output contract does not declare."


def _promises(output: object) -> bool:
    """Whether an output contract wants an object every time."""
    schema = getattr(output, "json_schema", None)
    return isinstance(schema, dict) and schema.get("type") == "object" and bool(schema.get("required"))


def _class(source: str) -> ast.ClassDef | None:
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError, RecursionError):
        return None
    return next((n for n in tree.body if isinstance(n, ast.ClassDef)), None)
