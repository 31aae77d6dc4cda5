"""What the texts of Python files say, read once: a landing meets one text in four trees, and asks the same of it often.

Kept by content until the landing ends. Trees are shared by all who ask: nobody changes one.
"""

from __future__ import annotations

import ast
from functools import lru_cache

MAX_KEPT = 512  # texts

Literal = int | float | str | bytes


@lru_cache(MAX_KEPT)
def parse(text: bytes) -> ast.Module | None:
    """The tree of a text; None where it is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


@lru_cache(MAX_KEPT)
def list_literals(text: bytes) -> tuple[Literal, ...]:
    """The numbers, texts and bytes that stand in a text, each value once. What is said to the reader is none of them:
    nothing is given it or held against it."""
    tree = parse(text)
    literals: dict[tuple[type, Literal], None] = {}
    remarks = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)} if tree else set()
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Constant() if id(node) in remarks:
                continue
            case ast.Constant(value=int() | float() | str() | bytes() as value) if not isinstance(value, bool):
                literals[type(value), value] = None
    return tuple(value for _, value in literals)


@lru_cache(MAX_KEPT)
def list_imports(text: bytes) -> tuple[tuple[int, str], ...]:
    """The modules that a text may import: the level of each import, and the dotted name behind it."""
    tree = parse(text)
    imports: list[tuple[int, str]] = []
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Import(names=aliases):
                imports += [(0, alias.name) for alias in aliases]
            case ast.ImportFrom(module=module, level=level, names=aliases):
                imports.append((level, module or ""))
                imports += [(level, f"{module}.{a.name}" if module else a.name) for a in aliases]
    return tuple(imports)


def forget_texts() -> None:
    """Keep nothing longer than one landing."""
    for kept in (parse, list_literals, list_imports):
        kept.cache_clear()
