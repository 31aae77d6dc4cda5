"""What code does with an object that holds a field: the keys that it reads, sets and looks for, name by name."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Protocol

from graphbus_core.analysis import scopes
from graphbus_core.analysis.scopes import Function

# What is found on the way of one field: where its key stands, what makes it, what is not followed.


MAX_DEPTH = 12  # expressions in expressions


@dataclass
class KeyTrace:
    """What was found on the way of one field."""

    keys: list[ast.AST] = field(default_factory=list)  # string constants that name it
    keywords: list[ast.keyword] = field(default_factory=list)  # `Out(name=…)`, `dict(name=…)`
    literals: list[ast.AST] = field(default_factory=list)  # dicts and calls that make the object holding it
    unknown: list[ast.AST] = field(default_factory=list)  # makes it in a way that cannot be followed
    escapes: list[ast.AST] = field(default_factory=list)  # hands the whole object on
    reads: list[ast.expr] = field(default_factory=list)  # `p["x"]`, `p.get("x")` as a whole

    @property
    def has_key(self) -> bool:
        """Whether the key surely stands there."""
        return bool(self.keys or self.keywords)

    @property
    def doubtful(self) -> list[ast.AST]:
        """What makes following uncertain."""
        return [*self.unknown, *self.escapes]


_KEYED = frozenset({"get", "pop", "setdefault"})
_OF_EVENTS = frozenset({"event_id", "topic", "src", "source", "timestamp", "cause"})
_WHOLE_OK = frozenset({"len", "bool", "isinstance", "type", "id", "print"})
_SAME_ROWS = frozenset({"list", "tuple", "reversed"})
_PUT_IN = frozenset({"append", "extend", "insert"})


class ObjectMaker(Protocol):
    """Who finds what makes an object: what is stored in one that is held was made somewhere, too."""

    def make(self, expr: ast.expr, path: list[str], trace: KeyTrace, depth: int = 0) -> None: ...
    def trace_dict(self, node: ast.Dict, path: list[str], trace: KeyTrace, depth: int) -> None: ...


class NameTracer:
    """Follows names that hold an object inside one function."""

    def __init__(self, function: Function, makes: ObjectMaker) -> None:
        self.function, self._makes = function, makes
        self.parents = {id(c): p for s in function.body for p in ast.walk(s) for c in ast.iter_child_nodes(p)}
        self._seen: set[tuple[str, tuple[str, ...]]] = set()

    def follow_name(self, name: str, path: list[str], trace: KeyTrace, event: bool = False) -> None:
        """Follow a parameter or variable that holds the object. `event`: it may be an Event with a `payload`."""
        name_uses = scopes.find_uses(self.function, name)
        trace.unknown += [*name_uses.declared, *name_uses.doubtful]
        for node in name_uses.names:
            parent = self.parents.get(id(node))
            if event and isinstance(parent, ast.Attribute) and parent.value is node:
                if parent.attr == "payload":
                    self.use(parent, self.parents.get(id(parent)), path, trace, 0)
                elif parent.attr not in _OF_EVENTS:
                    self.use(node, parent, path, trace, 0)
                continue
            self.use(node, parent, path, trace, 0)

    def use(self, node: ast.AST, parent: ast.AST | None, path: list[str], trace: KeyTrace, depth: int = 0) -> None:
        """One use of an expression that is the object which `path` starts from."""
        if depth > MAX_DEPTH:
            trace.escapes.append(node)
        elif _is_presence_test(node, parent):
            return
        elif not self._follow_same_object(node, parent, path, trace, depth):
            use_as = self._use_list if path[0] == "[]" else self._use_dict
            use_as(node, parent, path, trace, depth)

    def _follow_same_object(
        self, node: ast.AST, parent: ast.AST | None, path: list[str], trace: KeyTrace, depth: int
    ) -> bool:
        """`other = held`, `held or {}`: the same object by another name, or in an expression that gives it."""
        match parent:
            case ast.Assign(targets=[ast.Name(id=alias)], value=v) if v is node:
                self._follow_alias(alias, parent, path, trace, depth)
            case ast.AnnAssign(target=ast.Name(id=alias), value=v) if v is node:
                self._follow_alias(alias, parent, path, trace, depth)
            case ast.BoolOp(op=ast.Or(), values=[first, *rest]) if first is node and all(map(_is_empty, rest)):
                self.use(parent, self.parents.get(id(parent)), path, trace, depth + 1)
            case _:
                return False
        return True

    def _use_dict(self, node: ast.AST, parent: ast.AST | None, path: list[str], trace: KeyTrace, depth: int) -> None:
        match parent:
            case ast.Subscript(value=value, slice=key) if value is node:
                self._use_key(parent, key, path, trace, depth)
            case ast.Attribute(value=value) if value is node:
                self._use_method(node, parent, path, trace, depth)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]) if right is node:
                if not isinstance(left, ast.Constant):
                    trace.escapes.append(node)
                elif left.value == path[0] and len(path) == 1:
                    trace.keys.append(left)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if isinstance(
                right if left is node else left, ast.Dict
            ):
                self._use_comparison(right if left is node else left, path, trace, depth)
            case _:
                trace.escapes.append(node)

    def _use_method(
        self, node: ast.AST, attribute: ast.Attribute, path: list[str], trace: KeyTrace, depth: int
    ) -> None:
        """`held.get("x")`, `held.update(x=…)`; any other method may do anything with it."""
        call = self.parents.get(id(attribute))
        if isinstance(call, ast.Call) and call.func is attribute:
            if attribute.attr in _KEYED and call.args:
                self._use_key(call, call.args[0], path, trace, depth)
                return
            if attribute.attr == "update" and self._use_update(call, path, trace, depth):
                return
        trace.escapes.append(node)

    def _use_update(self, call: ast.Call, path: list[str], trace: KeyTrace, depth: int) -> bool:
        """`held.update({…}, name=…)`; False where it takes in what is not written out."""
        if any(k.arg is None for k in call.keywords) or not all(isinstance(a, ast.Dict) for a in call.args):
            return False
        for argument in call.args:
            assert isinstance(argument, ast.Dict)
            self._makes.trace_dict(argument, path, trace, depth)
            trace.literals = [n for n in trace.literals if n is not argument]
        for keyword in call.keywords:
            if keyword.arg == path[0]:
                if len(path) == 1:
                    trace.keywords.append(keyword)
                else:
                    self._makes.make(keyword.value, path[1:], trace, depth + 1)
        return True

    def _use_comparison(self, other: ast.expr, path: list[str], trace: KeyTrace, depth: int) -> None:
        """`clean(x) == {"items": […]}`, as tests have it: the key is read there, and the dict is none of ours."""
        assert isinstance(other, ast.Dict)
        self._makes.trace_dict(other, path, trace, depth)
        trace.literals = [n for n in trace.literals if n is not other]

    def _use_key(self, whole: ast.AST, key: ast.expr, path: list[str], trace: KeyTrace, depth: int) -> None:
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

    def _use_list(self, node: ast.AST, parent: ast.AST | None, path: list[str], trace: KeyTrace, depth: int) -> None:
        rest = path[1:]
        match parent:
            case ast.For(iter=i, target=ast.Name(id=name)) | ast.AsyncFor(iter=i, target=ast.Name(id=name)) if (
                i is node
            ):
                self._follow_alias(name, parent, rest, trace, depth)
            case ast.comprehension(iter=i, target=ast.Name(id=name)) if i is node:
                self._follow_comprehension(parent, name, rest, trace, depth)
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

    def _follow_alias(self, name: str, statement: ast.AST, path: list[str], trace: KeyTrace, depth: int) -> None:
        if not path:
            return
        if ("=" + name, tuple(path)) in self._seen:
            return
        self._seen.add(("=" + name, tuple(path)))
        name_uses = scopes.find_uses(self.function, name)
        stores = [n for n in name_uses.names if isinstance(n.ctx, ast.Store)]
        if len(stores) != 1 or name_uses.declared or name_uses.doubtful:
            trace.escapes.append(statement)
            return
        for node in name_uses.names:
            if not isinstance(node.ctx, ast.Store):
                self.use(node, self.parents.get(id(node)), path, trace, depth + 1)

    def _follow_comprehension(
        self, generator: ast.comprehension, name: str, path: list[str], trace: KeyTrace, depth: int
    ) -> None:
        whole = self.parents.get(id(generator))
        if whole is None or not path:
            return
        for node in ast.walk(whole):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                self.use(node, self.parents.get(id(node)), path, trace, depth + 1)


def _is_presence_test(node: ast.AST, parent: ast.AST | None) -> bool:
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


# What makes the object that holds a field: from what is returned or published back to the literals.
#
# `KeyTracer` is the face of this room: it makes, and `holds` follows what is done with the variables on the way.


class KeyTracer:
    """Follows fields inside one function."""

    def __init__(self, function: Function, contract_class: str | None = None) -> None:
        self.function = function
        self.contract_class = contract_class
        self.holds = NameTracer(function, self)
        self.parents = self.holds.parents
        self._seen: set[tuple[str, tuple[str, ...]]] = set()
        self._anchors: set[int] = set()  # names that stand where a traced object is given
        self._pending: list[tuple[scopes.NameUses, list[str]]] = []

    # ---- what a method returns or publishes

    def list_returns(self) -> list[ast.Return]:
        """The function's own return statements that give a value."""
        return [n for n in scopes.iter_own_nodes(self.function) if isinstance(n, ast.Return) and n.value is not None]

    def list_yields(self) -> list[ast.AST]:
        """Its yields: a generator's results are not followed."""
        return [n for n in scopes.iter_own_nodes(self.function) if isinstance(n, ast.Yield | ast.YieldFrom)]

    def make(self, expr: ast.expr, path: list[str], trace: KeyTrace, depth: int = 0) -> None:
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
                self._make_variable(expr, path, trace, depth)
                return
        if path[0] == "[]":
            self._make_elements(expr, path, trace, depth)
            return
        match expr:
            case ast.Dict():
                self.trace_dict(expr, path, trace, depth)
            case ast.Call(func=ast.Name(id=name)) if name in ("dict", self.contract_class):
                self._make_call(expr, path, trace, depth)
            case ast.Call(func=ast.Attribute(attr=name)) if name == self.contract_class:
                self._make_call(expr, path, trace, depth)
            case _:
                trace.unknown.append(expr)

    def trace_dict(self, node: ast.Dict, path: list[str], trace: KeyTrace, depth: int) -> None:
        """The key in a dict that is written out, and in what it spreads."""
        if len(path) == 1:
            trace.literals.append(node)
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                if isinstance(value, ast.IfExp) and all(isinstance(v, ast.Dict) for v in (value.body, value.orelse)):
                    self._spread(value, path, trace, depth)
                else:
                    literal_count = len(trace.literals)
                    self.make(value, path, trace, depth + 1)
                    del trace.literals[literal_count:]  # it only gives its fields to this one
            elif isinstance(key, ast.Constant):
                if key.value == path[0]:
                    if len(path) == 1:
                        trace.keys.append(key)
                    else:
                        self.make(value, path[1:], trace, depth + 1)
            else:
                trace.unknown.append(key)

    def _spread(self, node: ast.IfExp, path: list[str], trace: KeyTrace, depth: int) -> None:
        for part in (node.body, node.orelse):
            assert isinstance(part, ast.Dict)
            inner = KeyTrace()
            self.trace_dict(part, path, inner, depth)
            trace.keys += inner.keys
            trace.unknown += inner.unknown

    def _make_call(self, node: ast.Call, path: list[str], trace: KeyTrace, depth: int) -> None:
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

    def _make_elements(self, expr: ast.expr, path: list[str], trace: KeyTrace, depth: int) -> None:
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

    def _make_variable(self, name: ast.Name, path: list[str], trace: KeyTrace, depth: int) -> None:
        self._anchors.add(id(name))
        if (name.id, tuple(path)) in self._seen:
            return
        self._seen.add((name.id, tuple(path)))
        if any(p.arg == name.id for p in scopes.list_parameters(self.function.args)):
            trace.unknown.append(name)
            return
        name_uses = scopes.find_uses(self.function, name.id)
        trace.unknown += [*name_uses.declared, *name_uses.doubtful]
        stores = [n for n in name_uses.names if isinstance(n.ctx, ast.Store)]
        if not stores:
            trace.unknown.append(name)
        for node in name_uses.names:
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
        self._pending.append((name_uses, path))

    def finish(self, trace: KeyTrace) -> None:
        """Look at what else is done with the variables that `make` went through."""
        while self._pending:
            name_uses, path = self._pending.pop()
            for node in name_uses.names:
                if not isinstance(node.ctx, ast.Store) and id(node) not in self._anchors:
                    self.holds.use(node, self.parents.get(id(node)), path, trace)
