"""One file -> its facts: from its bytes, or from a tree that is parsed already."""

from __future__ import annotations

import ast

from graphbus_core.build.understand.text.reading import Reading
from graphbus_core.build.understand.text.values import Facts, Values


def read(path: str, content: bytes, package: str = "") -> Facts:
    """What a file says; where it cannot be parsed, `problem` says why and nothing else is there."""
    facts = Facts(path)
    try:
        tree = ast.parse(content, path)
        Reading(facts, package).module(tree)
    except (SyntaxError, ValueError) as e:
        facts.problem = f"{path}:{getattr(e, 'lineno', None) or 1} cannot be parsed: {getattr(e, 'msg', None) or e}"
    except (RecursionError, MemoryError):
        facts.problem = f"{path} is nested too deeply to be read"
    return facts


def read_tree(path: str, tree: ast.Module, package: str, nodes: dict[int, Values]) -> Facts:
    """The same for a tree that is parsed already; `nodes` is told what each of its expressions may be, by its id."""
    facts = Facts(path)
    try:
        Reading(facts, package, nodes).module(tree)
    except RecursionError:
        facts.problem = f"{path} is nested too deeply to be read"
    return facts
