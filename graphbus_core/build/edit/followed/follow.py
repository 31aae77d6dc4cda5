"""Where a field travels in code: keys of mappings that hold it, and literals that make it.

`holders` follows a variable that holds a payload; `makers` follows what a method returns or publishes back to the
literals. Whatever cannot be followed with certainty is listed, never skipped.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphbus_core.build.edit.text import scope
from graphbus_core.build.edit.text.scope import Function

MAX_DEPTH = 12
_KEYED = frozenset({"get", "pop", "setdefault"})
_OF_EVENTS = frozenset({"event_id", "topic", "src", "source", "timestamp", "cause"})
_WHOLE_OK = frozenset({"len", "bool", "isinstance", "type", "id", "print"})


@dataclass
class Trace:
    """What was found on the way of one field."""

    keys: list[ast.AST] = field(default_factory=list)  # string constants that name it
    keywords: list[ast.keyword] = field(default_factory=list)  # `Out(name=…)`, `dict(name=…)`
    literals: list[ast.AST] = field(default_factory=list)  # dicts and calls that make the object holding it
    unknown: list[ast.AST] = field(default_factory=list)  # makes it in a way that cannot be followed
    escapes: list[ast.AST] = field(default_factory=list)  # hands the whole object on
    reads: list[ast.expr] = field(default_factory=list)  # `p["x"]`, `p.get("x")` as a whole

    @property
    def doubtful(self) -> list[ast.AST]:
        """What makes following uncertain."""
        return [*self.unknown, *self.escapes]


class Tracer:
    """Follows fields inside one function."""

    def __init__(self, function: Function, contract_class: str | None = None) -> None:
        self.function = function
        self.contract_class = contract_class
        self.parents = {id(c): p for s in function.body for p in ast.walk(s) for c in ast.iter_child_nodes(p)}
        self._seen: set[tuple[str, tuple[str, ...]]] = set()
        self._anchors: set[int] = set()  # names that stand where a traced object is given
        self._pending: list[tuple[scope.Uses, list[str]]] = []

    # ---- what a method returns or publishes

    def returns(self) -> list[ast.Return]:
        """The function's own return statements that give a value."""
        return [n for n in _own(self.function.body) if isinstance(n, ast.Return) and n.value is not None]

    def yields(self) -> list[ast.AST]:
        """Its yields: a generator's results are not followed."""
        return [n for n in _own(self.function.body) if isinstance(n, ast.Yield | ast.YieldFrom)]

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
                self._dict(expr, path, trace, depth)
            case ast.Call(func=ast.Name(id=name)) if name in ("dict", self.contract_class):
                self._call(expr, path, trace, depth, name)
            case ast.Call(func=ast.Attribute(attr=name)) if name == self.contract_class:
                self._call(expr, path, trace, depth, name)
            case _:
                trace.unknown.append(expr)

    def _dict(self, node: ast.Dict, path: list[str], trace: Trace, depth: int) -> None:
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
            self._dict(part, path, inner, depth)
            trace.keys += inner.keys
            trace.unknown += inner.unknown

    def _call(self, node: ast.Call, path: list[str], trace: Trace, depth: int, name: str | None) -> None:
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
                    self._use(node, self.parents.get(id(node)), path, trace, 0)

    # ---- a variable that holds the object

    def hold(self, name: str, path: list[str], trace: Trace, event: bool = False) -> None:
        """Follow a parameter or variable that holds the object. `event`: it may be an Event with a `payload`."""
        found = scope.uses(self.function, name)
        trace.unknown += [*found.declared, *found.doubtful]
        for node in found.names:
            parent = self.parents.get(id(node))
            if event and isinstance(parent, ast.Attribute) and parent.value is node:
                if parent.attr == "payload":
                    self._use(parent, self.parents.get(id(parent)), path, trace, 0)
                elif parent.attr not in _OF_EVENTS:
                    self._use(node, parent, path, trace, 0)
                continue
            self._use(node, parent, path, trace, 0)

    def _use(self, node: ast.AST, parent: ast.AST | None, path: list[str], trace: Trace, depth: int) -> None:
        """One use of an expression that is the object which `path` starts from."""
        if depth > MAX_DEPTH:
            trace.escapes.append(node)
            return
        if path[0] == "[]":
            self._use_list(node, parent, path, trace, depth)
            return
        match parent:
            case ast.Subscript(value=value, slice=key) if value is node:
                self._keyed(parent, key, path, trace, depth)
            case ast.Attribute(value=value, attr=attr) if value is node:
                call = self.parents.get(id(parent))
                if not (isinstance(call, ast.Call) and call.func is parent):
                    trace.escapes.append(node)
                elif attr in _KEYED and call.args:
                    self._keyed(call, call.args[0], path, trace, depth)
                elif attr == "update" and self._updated(call, path, trace, depth):
                    pass
                else:
                    trace.escapes.append(node)
            case ast.Compare(left=left, ops=ops, comparators=[right]) if right is node and isinstance(
                ops[0], ast.In | ast.NotIn
            ):
                if isinstance(left, ast.Constant):
                    if left.value == path[0] and len(path) == 1:
                        trace.keys.append(left)
                else:
                    trace.escapes.append(node)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if isinstance(
                right if left is node else left, ast.Dict
            ):
                self._compared(right if left is node else left, path, trace, depth)
            case ast.If(test=t) | ast.While(test=t) | ast.IfExp(test=t) if t is node:
                pass
            case ast.Call(func=ast.Name(id=f)) if f in _WHOLE_OK:
                pass
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]) | ast.UnaryOp(op=ast.Not()) | ast.Expr():
                pass  # whether it is there is asked, and no key of it
            case ast.Assign(targets=[ast.Name(id=alias)], value=v) if v is node:
                self._alias(alias, parent, path, trace, depth)
            case ast.AnnAssign(target=ast.Name(id=alias), value=v) if v is node:
                self._alias(alias, parent, path, trace, depth)
            case ast.BoolOp(op=ast.Or(), values=[first, *rest]) if first is node and all(
                isinstance(r, ast.Dict) and not r.keys for r in rest
            ):
                self._use(parent, self.parents.get(id(parent)), path, trace, depth + 1)
            case _:
                trace.escapes.append(node)

    def _updated(self, call: ast.Call, path: list[str], trace: Trace, depth: int) -> bool:
        """`held.update({…}, name=…)`; False where it takes in what is not written out."""
        if any(k.arg is None for k in call.keywords) or not all(isinstance(a, ast.Dict) for a in call.args):
            return False
        for given in call.args:
            assert isinstance(given, ast.Dict)
            self._dict(given, path, trace, depth)
            trace.literals = [n for n in trace.literals if n is not given]
        for keyword in call.keywords:
            if keyword.arg == path[0]:
                if len(path) == 1:
                    trace.keywords.append(keyword)
                else:
                    self.make(keyword.value, path[1:], trace, depth + 1)
        return True

    def _compared(self, other: ast.expr, path: list[str], trace: Trace, depth: int) -> None:
        """`clean(x) == {"items": […]}`, as tests have it: the key is read there, and the dict is none of ours."""
        assert isinstance(other, ast.Dict)
        self._dict(other, path, trace, depth)
        trace.literals = [n for n in trace.literals if n is not other]

    def _keyed(self, whole: ast.AST, key: ast.expr, path: list[str], trace: Trace, depth: int) -> None:
        if not isinstance(key, ast.Constant):
            trace.escapes.append(whole)
        elif key.value == path[0]:
            if len(path) == 1:
                trace.keys.append(key)
                assert isinstance(whole, ast.expr)
                trace.reads.append(whole)
            elif isinstance(whole, ast.Subscript) and isinstance(whole.ctx, ast.Store):
                parent = self.parents.get(id(whole))
                if isinstance(parent, ast.Assign):
                    self.make(parent.value, path[1:], trace, depth + 1)
                else:
                    trace.escapes.append(whole)
            else:
                self._use(whole, self.parents.get(id(whole)), path[1:], trace, depth + 1)

    def _use_list(self, node: ast.AST, parent: ast.AST | None, path: list[str], trace: Trace, depth: int) -> None:
        rest = path[1:]
        match parent:
            case ast.For(iter=i, target=ast.Name(id=name)) | ast.AsyncFor(iter=i, target=ast.Name(id=name)) if (
                i is node
            ):
                self._alias(name, parent, rest, trace, depth)
            case ast.comprehension(iter=i, target=ast.Name(id=name)) if i is node:
                self._in_comprehension(parent, name, rest, trace, depth)
            case ast.Subscript(value=value, slice=s) if value is node:
                if isinstance(s, ast.Slice):
                    self._use(parent, self.parents.get(id(parent)), path, trace, depth + 1)
                else:
                    self._use(parent, self.parents.get(id(parent)), rest, trace, depth + 1)
            case ast.Call(func=ast.Name(id=f)) if f in _WHOLE_OK:
                pass
            case ast.Call(func=ast.Name(id="list" | "tuple" | "reversed")):
                self._use(parent, self.parents.get(id(parent)), path, trace, depth + 1)
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                pass
            case ast.If(test=t) | ast.While(test=t) | ast.IfExp(test=t) if t is node:
                pass
            case ast.UnaryOp(op=ast.Not()) | ast.Expr():
                pass
            case ast.Assign(targets=[ast.Name(id=alias)], value=v) if v is node:
                self._alias(alias, parent, path, trace, depth)
            case ast.Attribute(value=value, attr="append" | "extend" | "insert" as how) if value is node:
                call = self.parents.get(id(parent))
                if isinstance(call, ast.Call) and call.args:
                    self.make(call.args[-1], path if how == "extend" else rest, trace, depth + 1)
                else:
                    trace.escapes.append(node)
            case ast.BoolOp(op=ast.Or(), values=[first, *others]) if first is node and all(
                isinstance(o, ast.List) and not o.elts for o in others
            ):
                self._use(parent, self.parents.get(id(parent)), path, trace, depth + 1)
            case _:
                trace.escapes.append(node)

    def _alias(self, name: str, at: ast.AST, path: list[str], trace: Trace, depth: int) -> None:
        if not path:
            return
        if ("=" + name, tuple(path)) in self._seen:
            return
        self._seen.add(("=" + name, tuple(path)))
        found = scope.uses(self.function, name)
        stores = [n for n in found.names if isinstance(n.ctx, ast.Store)]
        if len(stores) != 1 or found.declared or found.doubtful:
            trace.escapes.append(at)
            return
        for node in found.names:
            if not isinstance(node.ctx, ast.Store):
                self._use(node, self.parents.get(id(node)), path, trace, depth + 1)

    def _in_comprehension(self, at: ast.comprehension, name: str, path: list[str], trace: Trace, depth: int) -> None:
        whole = self.parents.get(id(at))
        if whole is None or not path:
            return
        for node in ast.walk(whole):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                self._use(node, self.parents.get(id(node)), path, trace, depth + 1)


def _own(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a body, nested functions, classes and lambdas left out."""
    for node in body:
        yield from _walk(node)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)
