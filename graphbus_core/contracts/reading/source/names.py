"""Names as they stand in source: what a name is found to be, and the word of standard typing that it means."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeAlias

# `resolve("Order")` or `resolve("shop.Order")`: the definition found for a name (a ClassDef, or the expression that the
# name stands for) and the resolve that holds where it was found; None where there is none. A resolve may have an
# attribute `imported`: a function that gives the full dotted name of what was imported from outside, or None.
Found: TypeAlias = "tuple[ast.AST, Resolve] | None"
Resolve: TypeAlias = Callable[[str], Any]

# Deeper than contracts that people write; a hostile one ends as "not read" instead of ending the process.
MAX_DEPTH = 60  # nested expressions and references; a contract deeper than this is not read


class Unread(Exception):
    """Source alone does not tell: `at` must be evaluated, because of `reason`."""

    def __init__(self, at: ast.AST, reason: str) -> None:
        super().__init__(reason)
        self.at, self.reason = at, reason


def no_names(name: str) -> None:
    """A resolve that knows no names: only the words of standard typing can be read."""


def imported(resolve: Resolve, name: str) -> str | None:
    """The full name of a class from a library outside the project, where `resolve` knows it."""
    asked = getattr(resolve, "imported", None)
    found: str | None = asked(name) if asked is not None else None
    return found


def word(at: ast.AST, resolve: Resolve, depth: int) -> str:
    """The last segment of a name, seen through `import typing as t` and `from typing import Literal as L`."""
    name = dotted(at)
    found = lookup(resolve, name, at)
    if found is not None and isinstance(found[0], ast.Name | ast.Attribute) and depth < MAX_DEPTH:
        return word(found[0], found[1], depth + 1)
    return name.rpartition(".")[2]


def lookup(resolve: Resolve, name: str, at: ast.AST) -> tuple[ast.AST, Resolve] | None:
    found = resolve(name) if name else None
    if found is None:
        return None
    node, inner = found
    same = isinstance(node, ast.Name | ast.Attribute) and dotted(node) == name and inner is resolve
    # A name that leads to itself (`Order = Order`) is where the search ends.
    return None if node is at or same else (node, inner)


def dotted(at: ast.AST | None) -> str:
    if isinstance(at, ast.Name):
        return at.id
    if isinstance(at, ast.Attribute):
        head = dotted(at.value)
        return f"{head}.{at.attr}" if head else at.attr
    return ""
