"""The file around a class, in short: what the author of a body may use, and must not import again.

Imports and constants as they stand, helpers by their first line, types by their fields, other classes by their name.
It is read from the text, and bounded, because every character of it is paid for in every prompt of that agent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from graphbus_core.analysis.scan import Project
from graphbus_core.model.agent_def import AgentDefinition

AROUND_MAX = 1_200  # characters
LINE_MAX = 160


def describe_project_context(project: Project) -> dict[str, str]:
    """The same for a scanned project."""
    text = {p: b.decode("utf-8", "replace") for p, b in project.sources.items() if p.endswith(".py")}
    return describe_context(project.agents, text)


def describe_context(agents: Iterable[AgentDefinition], text_of: Mapping[str, str]) -> dict[str, str]:
    """Agent -> what stands around its class. Agents whose file has nothing more than agents are left out."""
    agents = list(agents)
    theirs = {(a.source_file, a.class_name.partition(".")[0]) for a in agents}  # known by their cards
    read: dict[str, list[tuple[str, str]]] = {}
    contexts = {}
    for agent in agents:
        path = agent.source_file
        if path not in read:
            read[path] = _summarize_module(text_of.get(path, ""))
        lines = [line for name, line in read[path] if (path, name) not in theirs]
        if text := _truncate_lines(lines):
            contexts[agent.name] = text
    return contexts


def _truncate_lines(lines: list[str]) -> str:
    kept_lines: list[str] = []
    for line in lines:
        if sum(len(k) + 1 for k in kept_lines) + len(line) > AROUND_MAX:
            return "\n".join([*kept_lines, "…"])
        kept_lines.append(line)
    return "\n".join(kept_lines)


def _summarize_module(text: str) -> list[tuple[str, str]]:
    """The statements of a module in short, each with the name that it defines (empty: none)."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [(name, line[:LINE_MAX]) for node in tree.body for name, line in _summarize_statement(node, text)]


def _summarize_statement(node: ast.stmt, text: str) -> Iterable[tuple[str, str]]:
    match node:
        case ast.Import() | ast.ImportFrom():
            yield "", ast.unparse(node)
        case ast.Assign() | ast.AnnAssign() if node.value is not None:
            yield "", " ".join((ast.get_source_segment(text, node) or ast.unparse(node)).split())
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
            gives = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            yield node.name, f"{word} {node.name}({ast.unparse(node.args)}){gives}: ..."
        case ast.ClassDef():
            own = (n for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name))
            fields = [f"{ast.unparse(n.target)}: {ast.unparse(n.annotation)}" for n in own]
            bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
            yield node.name, f"class {node.name}{bases}: {'; '.join(fields) or '...'}"
        case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
            for inner in node.body:
                yield from _summarize_statement(inner, text)
