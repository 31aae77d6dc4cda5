"""What makes the object that holds a field: from what is returned or published back to the literals.

`Tracer` is the face of this room: it makes, and `holds` follows what is done with the variables on the way.
"""

from __future__ import annotations

import ast

from graphbus_core.build.understand.keys import scope
from graphbus_core.build.understand.keys.holds import Holds
from graphbus_core.build.understand.keys.scope import Function
from graphbus_core.build.understand.keys.trace import MAX_DEPTH, Trace


class Tracer:
    """Follows fields inside one function."""

    def __init__(self, function: Function, contract_class: str | None = None) -> None:
        self.function = function
        self.contract_class = contract_class
        self.holds = Holds(function, self)
        self.parents = self.holds.parents
        self._seen: set[tuple[str, tuple[str, ...]]] = set()
        self._anchors: set[int] = set()  # names that stand where a traced object is given
        self._pending: list[tuple[scope.Uses, list[str]]] = []

    # ---- what a method returns or publishes

    def returns(self) -> list[ast.Return]:
        """The function's own return statements that give a value."""
        return [n for n in scope.own_nodes(self.function) if isinstance(n, ast.Return) and n.value is not None]

    def yields(self) -> list[ast.AST]:
        """Its yields: a generator's results are not followed."""
        return [n for n in scope.own_nodes(self.function) if isinstance(n, ast.Yield | ast.YieldFrom)]

    def make(self, expr: ast.expr, path: list[str], trace: Trace, depth: int = 0) -> None:
        """Find the literals that make the object which holds the last segment of `path`."""
        if depth > MAX_DEPTH:
            trace.unknown.append(expr)
            return
        match expr:
            case ast.IfExp():
                self.make(expr.body, path, trace, depth + 1)
                self.make(expr.orelse, path, trace, depth + 1)
                return
            case ast.BoolOp(values=values):
                for value in values:
                    self.make(value, path, trace, depth + 1)
                return
            case ast.NamedExpr(value=value):
                self.make(value, path, trace, depth + 1)
                return
            case ast.Constant(value=None):
                return
            case ast.Name():
                self._variable(expr, path, trace, depth)
                return
        if path[0] == "[]":
            self._elements(expr, path, trace, depth)
            return
        match expr:
            case ast.Dict():
                self.dict_of(expr, path, trace, depth)
            case ast.Call(func=ast.Name(id=name)) if name in ("dict", self.contract_class):
                self._call(expr, path, trace, depth)
            case ast.Call(func=ast.Attribute(attr=name)) if name == self.contract_class:
                self._call(expr, path, trace, depth)
            case _:
                trace.unknown.append(expr)

    def dict_of(self, node: ast.Dict, path: list[str], trace: Trace, depth: int) -> None:
        """The key in a dict that is written out, and in what it spreads."""
        if len(path) == 1:
            trace.literals.append(node)
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                if isinstance(value, ast.IfExp) and all(isinstance(v, ast.Dict) for v in (value.body, value.orelse)):
                    self._spread(value, path, trace, depth)
                else:
                    known = len(trace.literals)
                    self.make(value, path, trace, depth + 1)
                    del trace.literals[known:]  # it only gives its fields to this one
            elif isinstance(key, ast.Constant):
                if key.value == path[0]:
                    if len(path) == 1:
                        trace.keys.append(key)
                    else:
                        self.make(value, path[1:], trace, depth + 1)
            else:
                trace.unknown.append(key)

    def _spread(self, node: ast.IfExp, path: list[str], trace: Trace, depth: int) -> None:
        for part in (node.body, node.orelse):
            assert isinstance(part, ast.Dict)
            inner = Trace()
            self.dict_of(part, path, inner, depth)
            trace.keys += inner.keys
            trace.unknown += inner.unknown

    def _call(self, node: ast.Call, path: list[str], trace: Trace, depth: int) -> None:
        if node.args:
            trace.unknown += node.args
        if len(path) == 1:
            trace.literals.append(node)
        for keyword in node.keywords:
            if keyword.arg is None:
                trace.unknown.append(keyword.value)
            elif keyword.arg == path[0]:
                if len(path) == 1:
                    trace.keywords.append(keyword)
                else:
                    self.make(keyword.value, path[1:], trace, depth + 1)

    def _elements(self, expr: ast.expr, path: list[str], trace: Trace, depth: int) -> None:
        match expr:
            case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
                for element in elts:
                    if isinstance(element, ast.Starred):
                        self.make(element.value, path, trace, depth + 1)
                    else:
                        self.make(element, path[1:], trace, depth + 1)
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt):
                if isinstance(elt, ast.Name):
                    trace.unknown.append(elt)
                else:
                    self.make(elt, path[1:], trace, depth + 1)
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                self.make(left, path, trace, depth + 1)
                self.make(right, path, trace, depth + 1)
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[one], keywords=[]):
                self.make(one, path, trace, depth + 1)
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[], keywords=[]):
                pass
            case _:
                trace.unknown.append(expr)

    def _variable(self, name: ast.Name, path: list[str], trace: Trace, depth: int) -> None:
        self._anchors.add(id(name))
        if (name.id, tuple(path)) in self._seen:
            return
        self._seen.add((name.id, tuple(path)))
        if any(p.arg == name.id for p in scope.parameters(self.function.args)):
            trace.unknown.append(name)
            return
        found = scope.uses(self.function, name.id)
        trace.unknown += [*found.declared, *found.doubtful]
        stores = [n for n in found.names if isinstance(n.ctx, ast.Store)]
        if not stores:
            trace.unknown.append(name)
        for node in found.names:
            parent = self.parents.get(id(node))
            if isinstance(node.ctx, ast.Store):
                if isinstance(parent, ast.Assign) and node in parent.targets:
                    self.make(parent.value, path, trace, depth + 1)
                elif isinstance(parent, ast.AnnAssign):
                    if parent.value is not None:
                        self.make(parent.value, path, trace, depth + 1)
                elif isinstance(parent, ast.NamedExpr) or (
                    isinstance(parent, ast.AugAssign) and isinstance(parent.op, ast.Add) and path[0] == "[]"
                ):
                    self.make(parent.value, path, trace, depth + 1)
                else:
                    trace.unknown.append(node)
        self._pending.append((found, path))

    def finish(self, trace: Trace) -> None:
        """Look at what else is done with the variables that `make` went through."""
        while self._pending:
            found, path = self._pending.pop()
            for node in found.names:
                if not isinstance(node.ctx, ast.Store) and id(node) not in self._anchors:
                    self.holds.use(node, self.parents.get(id(node)), path, trace)
