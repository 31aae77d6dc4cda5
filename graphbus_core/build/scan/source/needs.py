"""What a node needs: `@depends_on`, `DEPENDS_ON`, and node classes in its type hints."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphbus_core.build.scan.source.class_reading import ClassReading, body_of
from graphbus_core.build.scan.source.modules import Module
from graphbus_core.build.scan.source.names import Found, NameKind, Names
from graphbus_core.syntax import dotted

PLAIN_TYPES = frozenset(("str", "int", "float", "bool", "None", "dict", "list", "tuple", "set", "bytes", "Any"))


class Needs:
    """The nodes that one class depends on, as far as they were found. Keys are `module:Class` or names."""

    def __init__(self, at: ClassReading, is_node: Callable[[Found], bool]) -> None:
        self.at, self._is_node = at, is_node
        self.declared: dict[str, None] = {}
        self.hinted: dict[str, None] = {}
        self._read_class()

    def _read_class(self) -> None:
        for found in self.at.node.lineage:
            assert isinstance(found.node, ast.ClassDef)
            for word, call, module, owner in self.at.decorators(found.node.decorator_list, found, None):
                if word == "depends_on" and call is not None:
                    self.declared.update(dict.fromkeys(self.named_in(call, module, owner, "depends_on")))
            assert found.module is not None
            for at in found.node.body:
                if isinstance(at, ast.AnnAssign):
                    self._hints(at.annotation, found.module, found.node)
        explicit = self.at.value("DEPENDS_ON")
        if isinstance(explicit, list):
            self.declared.update(dict.fromkeys(str(name) for name in explicit))

    def named_in(self, call: ast.Call, module: Module, scope: ast.ClassDef | None, slot: str) -> list[str]:
        found: list[str] = []
        for argument in [*call.args, *(k.value for k in call.keywords)]:
            target = self.at.names.find(module, dotted(argument), scope) if dotted(argument) else None
            if target is not None and target.kind is NameKind.CLASS:
                found.append(target.key)
                continue
            value = self.at.names.constant(module, argument, scope)
            values = value if isinstance(value, list) else [value]
            if all(isinstance(v, str) for v in values):
                found += values
            else:
                self.at.leave_open(slot, call, "what @depends_on names is computed")
        return found

    def read_hints(self, at: ast.FunctionDef | ast.AsyncFunctionDef, owner: Found) -> None:
        assert owner.module is not None
        arguments = [*at.args.posonlyargs, *at.args.args, *at.args.kwonlyargs, at.args.vararg, at.args.kwarg]
        for argument in arguments:
            if argument is not None and argument.annotation is not None:
                self._hints(argument.annotation, owner.module, body_of(owner))
        if at.returns is not None:
            self._hints(at.returns, owner.module, body_of(owner))

    def _hints(self, annotation: ast.expr, module: Module, owner: ast.ClassDef | None) -> None:
        if isinstance(annotation, ast.Name) and annotation.id in PLAIN_TYPES:
            return
        for at in ast.walk(annotation):
            if isinstance(at, ast.Constant) and isinstance(at.value, str) and at.value.isprintable():
                try:
                    self._hints(ast.parse(at.value, mode="eval").body, module, owner)
                except (SyntaxError, ValueError, RecursionError):
                    continue
            elif isinstance(at, ast.Name | ast.Attribute) and (name := dotted(at)) and name not in PLAIN_TYPES:
                found = self.at.names.find(module, name, owner) or _sibling(self.at.names, module, name)
                if found is not None and found.kind is NameKind.CLASS and self._is_node(found):
                    self.hinted[found.key] = None


def _sibling(names: Names, module: Module, name: str) -> Found | None:
    """A class of the same file, for hints such as `"Fetcher"` under a condition."""
    bindings = module.namespace.names.get(name, ())
    node = next((b.to for b in bindings if isinstance(b.to, ast.ClassDef)), None)
    return Found(NameKind.CLASS, name, module, node) if node is not None else None
