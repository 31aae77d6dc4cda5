"""What one side calls otherwise, everywhere: text that differs by such names alone does what it did."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from graphbus_core.commit.landing.interference.aspects import Keeping
from graphbus_core.commit.landing.interference.definitions import Project


@dataclass(frozen=True)
class Renames:
    """The names that stand nowhere any more since a tree, and those that stood nowhere then."""

    side: Project
    now: Project

    @cached_property
    def gone(self) -> frozenset[str]:
        return _list_names(self.side) - _list_names(self.now)

    @cached_property
    def new(self) -> frozenset[str]:
        return _list_names(self.now) - _list_names(self.side)

    def is_as_before(self, before: object, now: object) -> bool:
        """Whether two readings of one aspect say the same, up to such names."""
        if before == now:
            return True
        if isinstance(before, Keeping) and isinstance(now, Keeping):
            fills, reads = self._leave(before.fills, now.fills), self._leave(before.reads, now.reads)
            return not any((*fills, reads[0]))  # a new reader changes nothing
        return isinstance(before, str) and isinstance(now, str) and self._differ_by_names(before, now)

    def _leave(self, before: Counter[str], now: Counter[str]) -> tuple[Counter[str], Counter[str]]:
        """The statements that only one of the two has."""
        lost, added = before - now, now - before
        for text in list(lost.elements()):
            same = next((other for other in added.elements() if self._differ_by_names(text, other)), None)
            if same is not None:
                lost -= Counter([text])
                added -= Counter([same])
        return lost, added

    def _differ_by_names(self, before: str, now: str) -> bool:
        left, right = before.split(" "), now.split(" ")
        if len(left) != len(right):
            return False
        pairs = {(a.strip("'"), b.strip("'")) for a, b in zip(left, right, strict=True) if a != b}
        one_to_one = len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
        return one_to_one and all(a in self.gone and b in self.new for a, b in pairs)


def _list_names(project: Project) -> frozenset[str]:
    """Every name that stands in a tree for a definition, an attribute, a parameter or a variable."""
    names: set[str] = set()
    for module in project.modules.values():
        for node in ast.walk(module.tree):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.ClassDef(name=name):
                    names.add(name)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    names.add(node.name)
    return frozenset(names)
