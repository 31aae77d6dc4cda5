"""What code does with an object that holds a field: the keys that it reads, sets and looks for, name by name."""

from __future__ import annotations

import ast
from typing import Protocol

from graphbus_core.build.understand.keys import scope
from graphbus_core.build.understand.keys.scope import Function
from graphbus_core.build.understand.keys.trace import MAX_DEPTH, Trace

_KEYED = frozenset({"get", "pop", "setdefault"})
_OF_EVENTS = frozenset({"event_id", "topic", "src", "source", "timestamp", "cause"})
_WHOLE_OK = frozenset({"len", "bool", "isinstance", "type", "id", "print"})
_SAME_ROWS = frozenset({"list", "tuple", "reversed"})
_PUT_IN = frozenset({"append", "extend", "insert"})


class Makes(Protocol):
    """Who finds what makes an object: what is stored in one that is held was made somewhere, too."""

    def make(self, expr: ast.expr, path: list[str], trace: Trace, depth: int = 0) -> None: ...
    def dict_of(self, node: ast.Dict, path: list[str], trace: Trace, depth: int) -> None: ...


class Holds:
    """Follows names that hold an object inside one function."""

    def __init__(self, function: Function, makes: Makes) -> None:
        self.function, self._makes = function, makes
        self.parents = {id(c): p for s in function.body for p in ast.walk(s) for c in ast.iter_child_nodes(p)}
        self._seen: set[tuple[str, tuple[str, ...]]] = set()

    def hold(self, name: str, path: list[str], trace: Trace, event: bool = False) -> None:
        """Follow a parameter or variable that holds the object. `event`: it may be an Event with a `payload`."""
        found = scope.uses(self.function, name)
        trace.unknown += [*found.declared, *found.doubtful]
        for node in found.names:
            parent = self.parents.get(id(node))
            if event and isinstance(parent, ast.Attribute) and parent.value is node:
                if parent.attr == "payload":
                    self.use(parent, self.parents.get(id(parent)), path, trace, 0)
                elif parent.attr not in _OF_EVENTS:
                    self.use(node, parent, path, trace, 0)
                continue
            self.use(node, parent, path, trace, 0)

    def use(self, node: ast.AST, parent: ast.AST | None, path: list[str], trace: Trace, depth: int = 0) -> None:
        """One use of an expression that is the object which `path` starts from."""
        if depth > MAX_DEPTH:
            trace.escapes.append(node)
        elif _is_only_asked(node, parent):
            return
        elif not self._handed_on(node, parent, path, trace, depth):
            one = self._use_list if path[0] == "[]" else self._use_dict
            one(node, parent, path, trace, depth)

    def _handed_on(self, node: ast.AST, parent: ast.AST | None, path: list[str], trace: Trace, depth: int) -> bool:
        """`other = held`, `held or {}`: the same object by another name, or in an expression that gives it."""
        match parent:
            case ast.Assign(targets=[ast.Name(id=alias)], value=v) if v is node:
                self._alias(alias, parent, path, trace, depth)
            case ast.AnnAssign(target=ast.Name(id=alias), value=v) if v is node:
                self._alias(alias, parent, path, trace, depth)
            case ast.BoolOp(op=ast.Or(), values=[first, *rest]) if first is node and all(map(_is_empty, rest)):
                self.use(parent, self.parents.get(id(parent)), path, trace, depth + 1)
            case _:
                return False
        return True

    def _use_dict(self, node: ast.AST, parent: ast.AST | None, path: list[str], trace: Trace, depth: int) -> None:
        match parent:
            case ast.Subscript(value=value, slice=key) if value is node:
                self._keyed(parent, key, path, trace, depth)
            case ast.Attribute(value=value) if value is node:
                self._method(node, parent, path, trace, depth)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]) if right is node:
                if not isinstance(left, ast.Constant):
                    trace.escapes.append(node)
                elif left.value == path[0] and len(path) == 1:
                    trace.keys.append(left)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if isinstance(
                right if left is node else left, ast.Dict
            ):
                self._compared(right if left is node else left, path, trace, depth)
            case _:
                trace.escapes.append(node)

    def _method(self, node: ast.AST, of: ast.Attribute, path: list[str], trace: Trace, depth: int) -> None:
        """`held.get("x")`, `held.update(x=…)`; any other method may do anything with it."""
        call = self.parents.get(id(of))
        if isinstance(call, ast.Call) and call.func is of:
            if of.attr in _KEYED and call.args:
                self._keyed(call, call.args[0], path, trace, depth)
                return
            if of.attr == "update" and self._updated(call, path, trace, depth):
                return
        trace.escapes.append(node)

    def _updated(self, call: ast.Call, path: list[str], trace: Trace, depth: int) -> bool:
        """`held.update({…}, name=…)`; False where it takes in what is not written out."""
        if any(k.arg is None for k in call.keywords) or not all(isinstance(a, ast.Dict) for a in call.args):
            return False
        for given in call.args:
            assert isinstance(given, ast.Dict)
            self._makes.dict_of(given, path, trace, depth)
            trace.literals = [n for n in trace.literals if n is not given]
        for keyword in call.keywords:
            if keyword.arg == path[0]:
                if len(path) == 1:
                    trace.keywords.append(keyword)
                else:
                    self._makes.make(keyword.value, path[1:], trace, depth + 1)
        return True

    def _compared(self, other: ast.expr, path: list[str], trace: Trace, depth: int) -> None:
        """`clean(x) == {"items": […]}`, as tests have it: the key is read there, and the dict is none of ours."""
        assert isinstance(other, ast.Dict)
        self._makes.dict_of(other, path, trace, depth)
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
                    self._makes.make(parent.value, path[1:], trace, depth + 1)
                else:
                    trace.escapes.append(whole)
            else:
                self.use(whole, self.parents.get(id(whole)), path[1:], trace, depth + 1)

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
                part = path if isinstance(s, ast.Slice) else rest
                self.use(parent, self.parents.get(id(parent)), part, trace, depth + 1)
            case ast.Call(func=ast.Name(id=f)) if f in _SAME_ROWS:
                self.use(parent, self.parents.get(id(parent)), path, trace, depth + 1)
            case ast.Attribute(value=value, attr=how) if value is node and how in _PUT_IN:
                call = self.parents.get(id(parent))
                if isinstance(call, ast.Call) and call.args:
                    self._makes.make(call.args[-1], path if how == "extend" else rest, trace, depth + 1)
                else:
                    trace.escapes.append(node)
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
                self.use(node, self.parents.get(id(node)), path, trace, depth + 1)

    def _in_comprehension(self, at: ast.comprehension, name: str, path: list[str], trace: Trace, depth: int) -> None:
        whole = self.parents.get(id(at))
        if whole is None or not path:
            return
        for node in ast.walk(whole):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                self.use(node, self.parents.get(id(node)), path, trace, depth + 1)


def _is_only_asked(node: ast.AST, parent: ast.AST | None) -> bool:
    """Whether it is asked whether the object is there, or what it is, and no key of it."""
    match parent:
        case ast.If(test=t) | ast.While(test=t) | ast.IfExp(test=t):
            return t is node
        case ast.Call(func=ast.Name(id=f)):
            return f in _WHOLE_OK
    return (
        isinstance(parent, ast.Expr)
        or (isinstance(parent, ast.Compare) and len(parent.ops) == 1 and isinstance(parent.ops[0], ast.Is | ast.IsNot))
        or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not))
    )


def _is_empty(expr: ast.expr) -> bool:
    match expr:
        case ast.Dict(keys=[]) | ast.List(elts=[]):
            return True
    return False
