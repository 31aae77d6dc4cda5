"""A node class as Python sees it: its members over all bases, their constants, the decorators of graphbus_core.

What cannot be told without running code is left open, with its slot and the reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphbus_core.build.scan.draft import Open
from graphbus_core.build.scan.source.modules import Module
from graphbus_core.build.scan.source.names import UNKNOWN, Found, NameKind, Names
from graphbus_core.build.scan.source.scanner import NodeClass
from graphbus_core.syntax import dotted

_WORDS = ("schema_method", "contract", "subscribe", "publishes", "depends_on")


@dataclass(frozen=True)
class Member:
    """A method or attribute as the class has it, with the class that defines it."""

    owner: Found
    node: ast.AST


class ClassReading:
    """One class being read. What every part of the reading asks: members, constants, decorators."""

    def __init__(self, names: Names, node: NodeClass) -> None:
        self.names, self.node, self.module = names, node, node.module
        self.open: list[Open] = []
        self.members = self._members()
        if node.doubt:
            self.leave_open("class", node.node, node.doubt)

    def _members(self) -> dict[str, Member]:
        members: dict[str, Member] = {}
        for found in reversed(self.node.lineage):
            assert isinstance(found.node, ast.ClassDef)
            assert found.module is not None
            body = self.names.body(found.node, found.module)
            for name in body.names:
                binding = body.get(name)
                if binding is None:
                    members.pop(name, None)
                    self.leave_open("class", found.node, f"which `{name}` holds depends on a condition")
                elif isinstance(binding.to, ast.AST):
                    members.pop(name, None)
                    members[name] = Member(found, binding.to)
        return members

    def value(self, name: str) -> Any:
        """A class attribute made of constants; None where there is none, UNKNOWN where it must be run."""
        member = self.members.get(name)
        if member is None:
            return None
        assert member.owner.module is not None
        return self.names.constant(member.owner.module, member.node, body_of(member.owner))

    def plain(self, name: str, default: Any) -> Any:
        value = self.value(name)
        if value is UNKNOWN:
            self.leave_open("attributes", self.members[name].node, f"{name} is computed")
            return default
        return default if value is None else value

    def text(self, name: str) -> str | None:
        value = self.plain(name, None)
        return value if isinstance(value, str) else None

    def strings(self, call: ast.Call, module: Module, scope: ast.ClassDef | None, slot: str, why: str) -> list[str]:
        found: list[str] = []
        for argument in [*call.args, *(k.value for k in call.keywords)]:
            value = self.names.constant(module, argument, scope)
            if isinstance(value, str):
                found.append(value)
            elif isinstance(value, list) and all(isinstance(v, str) for v in value):
                found += value
            else:
                self.leave_open(slot, call, why)
        return found

    def decorators(
        self, decorators: list[ast.expr], owner: Found, method: str | None
    ) -> Iterator[tuple[str, ast.Call | None, Module, ast.ClassDef | None]]:
        """Those of graphbus_core: their word, the call if there is one, and where its names are to be looked up."""
        assert owner.module is not None
        scope = body_of(owner) if method is not None else owner.owner
        for at in decorators:
            yield from self._decorator(at, owner.module, scope, method, 0)

    def _decorator(
        self, at: ast.expr, module: Module, scope: ast.ClassDef | None, method: str | None, steps: int
    ) -> Iterator[tuple[str, ast.Call | None, Module, ast.ClassDef | None]]:
        call = at if isinstance(at, ast.Call) else None
        found = self.names.find(module, dotted(call.func if call else at), scope)
        if found is None:
            return
        if word := found.graphbus:
            yield word, call, module, scope
        elif found.kind is NameKind.VALUE and isinstance(found.node, ast.Call) and found.module and steps < 5:
            if call is None:  # `priced = schema_method(…)` and then `@priced`
                yield from self._decorator(found.node, found.module, found.owner, method, steps + 1)
            elif any(found.module.mentions(word) for word in _WORDS):
                self.leave_open("class", at, f"`{dotted(call.func)}` must be run")
        elif found.kind is NameKind.FUNCTION and found.module and any(found.module.mentions(word) for word in _WORDS):
            assert found.node is not None
            if any(word in ast.dump(found.node) for word in _WORDS):
                self.leave_open("class", at, f"the decorator `{found.name}` must be run")

    def leave_open(self, slot: str, at: ast.AST, reason: str) -> None:
        self.open.append(Open(slot, getattr(at, "lineno", self.node.node.lineno), reason))


def body_of(found: Found) -> ast.ClassDef | None:
    return found.node if isinstance(found.node, ast.ClassDef) else None
