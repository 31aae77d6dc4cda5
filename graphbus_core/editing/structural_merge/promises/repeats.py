"""No block stands twice, and no name is given twice, where each side had it once.

Two sides that solved one problem each in their way do its work twice when both solutions are kept. Blocks are compared
with the names of their locals taken out; in a block of several statements its texts and numbers, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from graphbus_core.editing.structural_merge.pieces import DEFINITIONS
from graphbus_core.editing.structural_merge.promises.scopes import Promise, Scope, Versions, in_scope, read_once

BLOCK = 3  # statements, from which on a block that differs in its texts alone is the same block


def check_repeats(changed: Sequence[Versions]) -> list[Promise]:
    """The blocks and names that both sides added, and that stand twice in the merged text."""
    broken = []
    for versions in changed:
        for promise, read, what in (("repeat", _blocks, "stands twice"), ("name", _names, "is defined twice")):
            old, left, right, now = (
                read(scope) if scope is not None else {}
                for scope in (versions.base, versions.ours, versions.theirs, versions.merged)
            )
            for key, lines in now.items():
                before = len(old.get(key, ()))
                mine, other = len(left.get(key, ())) - before, len(right.get(key, ())) - before
                if mine > 0 and other > 0 and len(lines) - before > max(mine, other):
                    text = key.rpartition("\0")[2]
                    broken.append(
                        Promise(promise, versions.name or "module", f"{text} of both sides {what}", lines[-1])
                    )
    return broken


def _group(found: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """Each text -> the lines that it stands at."""
    lines: dict[str, list[int]] = {}
    for text, line in found:
        lines.setdefault(text, []).append(line)
    return lines


@read_once
def _blocks(scope: Scope) -> dict[str, list[int]]:
    return _group(_iter_blocks(scope))


@read_once
def _names(scope: Scope) -> dict[str, list[int]]:
    return _group(_iter_names(scope))


def _iter_blocks(scope: Scope) -> Iterator[tuple[str, int]]:
    """The statements with an effect, each as what it does, whatever its locals are called."""
    assigned = {n.id for n in in_scope(scope) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    assigned |= {n.name for n in in_scope(scope) if isinstance(n, ast.ExceptHandler) and n.name}
    for node in in_scope(scope):
        if not isinstance(node, ast.stmt) or isinstance(node, (*DEFINITIONS, ast.Return, ast.Raise)):
            continue
        if not any(isinstance(n, ast.Call) for n in ast.walk(node)):
            continue
        local = assigned if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef) else set()
        yield f"{_without_names(node, local)}\0a block ({type(node).__name__})", getattr(node, "lineno", 0)


def _without_names(node: ast.stmt, local: set[str]) -> str:
    """What a statement does: its locals by number; in a block, its texts and numbers all the same."""
    numbers: dict[str, int] = {}
    is_block = sum(isinstance(n, ast.stmt) for n in ast.walk(node)) > BLOCK

    def words(at: object) -> Iterator[str]:
        match at:
            case ast.Name(id=name) if name in local:
                yield f"_{numbers.setdefault(name, len(numbers))}"
            case ast.Constant(value=str() | int() | float()) if is_block:
                yield "text"
            case ast.AST():
                yield type(at).__name__
                for field, value in ast.iter_fields(at):
                    if not (field == "name" and isinstance(at, ast.ExceptHandler)):
                        yield from words(value)
            case list():
                for item in at:
                    yield from words(item)
                yield "."
            case _:
                yield repr(at)

    return " ".join(words(node))


def _iter_names(scope: Scope) -> Iterator[tuple[str, int]]:
    """The names that a scope defines: by `def` and `class` everywhere, by assignment where they outlive it."""
    lasting = isinstance(scope.node, ast.Module | ast.ClassDef)
    for node in in_scope(scope):
        line = getattr(node, "lineno", 0)
        if isinstance(node, DEFINITIONS):
            yield node.name, line
        elif lasting and isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, line
        elif lasting and isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, line
