"""No block stands twice, and no name is given twice, where each side had it once.

Two sides that solved one problem each in their way do its work twice when both solutions are kept. Blocks are compared
with the names of their locals taken out; in a block of several statements its texts and numbers, too.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from graphbus_core.editing.structural_merge.pieces import DEFINITIONS
from graphbus_core.editing.structural_merge.promises.scopes import Promise, Scope, Versions, in_scope

BLOCK = 3  # statements, from which on a block that differs in its texts alone is the same block


def check_repeats(changed: Sequence[Versions]) -> list[Promise]:
    """The blocks and names that both sides added, and that stand twice in the merged text."""
    broken = []
    for versions in changed:
        for promise, read, what in (("repeat", _blocks, "stands twice"), ("name", _names, "is defined twice")):
            lines: dict[str, int] = {}
            old, left, right, now = (
                _count(read, scope, lines) for scope in (versions.base, versions.ours, versions.theirs, versions.merged)
            )
            for key, count in now.items():
                mine, other = left[key] - old[key], right[key] - old[key]
                if mine > 0 and other > 0 and count - old[key] > max(mine, other):
                    text = key.rpartition("\0")[2]
                    told = f"{text} of both sides {what}"
                    broken.append(Promise(promise, versions.name or "module", told, lines[key]))
    return broken


def _count(
    read: Callable[[Scope], Iterator[tuple[str, int]]], scope: Scope | None, lines: dict[str, int]
) -> Counter[str]:
    counts: Counter[str] = Counter()
    for text, line in read(scope) if scope is not None else ():
        counts[text] += 1
        lines[text] = line
    return counts


def _blocks(scope: Scope) -> Iterator[tuple[str, int]]:
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


def _names(scope: Scope) -> Iterator[tuple[str, int]]:
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
