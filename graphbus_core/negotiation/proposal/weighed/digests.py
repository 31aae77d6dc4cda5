"""The digest of a symbol: what a proposal rests on, and what tells that its ground moved (design §6.5).

Digests are per symbol, so that agents which share a file, and methods which share a class, do not stand in each
other's way. Pure: it reads an `AgentDefinition` and nothing else, so that whoever commits computes the same.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import textwrap
from typing import Any

from graphbus_core.model.agent_def import AgentDefinition

ABSENT = "absent"  # the digest of a symbol that is not there


def symbol_digest(agent: AgentDefinition, symbol: str) -> str:
    """The digest of `Node.method`, `Node -> /Topic` or `Node` as `Operation.symbol` names them.

    A method: its text with decorators, and both its contracts (a contract may be declared elsewhere). A topic: its
    payload. The node itself: the class without its methods, which is what an import or a new method rests on.
    """
    rest = symbol.removeprefix(agent.name)
    if rest.startswith(" -> "):
        topic = rest.removeprefix(" -> ")
        found = [p.schema.json_schema if p.schema else None for p in agent.publications if p.topic.name == topic]
        return _digest([topic, found]) if found else ABSENT
    spans = _spans(agent.source_code)
    if not rest:
        return _digest([agent.name, _without(agent.source_code, spans)])
    name = rest.removeprefix(".")
    method = agent.method(name)
    if method is None and name not in spans:
        return ABSENT
    sides = [s.json_schema if s else None for s in (method.input_schema, method.output_schema)] if method else []
    return _digest([name, _text(agent.source_code, spans.get(name)), sides])


def symbol_digests(agent: AgentDefinition) -> dict[str, str]:
    """The digests of all of an agent's symbols."""
    names = [agent.name]
    names += [
        f"{agent.name}.{n}" for n in dict.fromkeys([*_spans(agent.source_code), *(m.name for m in agent.methods)])
    ]
    names += [f"{agent.name} -> {p.topic.name}" for p in agent.publications]
    return {name: symbol_digest(agent, name) for name in dict.fromkeys(names)}


def _spans(source: str) -> dict[str, tuple[int, int]]:
    """Method name -> its lines (from 0, end exclusive), decorators included; the last definition of a name wins."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError):
        return {}
    found: dict[str, tuple[int, int]] = {}
    for node in tree.body[0].body if tree.body and isinstance(tree.body[0], ast.ClassDef) else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found[node.name] = (first - 1, node.end_lineno or node.lineno)
    return found


def _text(source: str, span: tuple[int, int] | None) -> str:
    return "" if span is None else "\n".join(_lines(source)[span[0] : span[1]])


def _without(source: str, spans: dict[str, tuple[int, int]]) -> str:
    inside = {i for first, end in spans.values() for i in range(first, end)}
    kept = (line.rstrip() for i, line in enumerate(_lines(source)) if i not in inside)
    return "\n".join(line for line in kept if line)


def _lines(source: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", source)  # as `ast` counts them: a form feed ends no line


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
