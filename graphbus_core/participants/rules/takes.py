"""Whether a body takes a wider type: every use of the field is found, and is one that the added types allow.

Refuses what it cannot see through: a value that is handed to code that is not read here, a name that is bound twice.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from graphbus_core.participants.rules.own_source import Function

NUMBERS = frozenset({"int", "float"})  # no bool: arithmetic on a yes or no runs, and means nothing
_PRINTS = frozenset({"str", "repr", "print"})
_ROUNDS = frozenset({"round", "abs", "int", "float", "max", "min", "str", "repr", "print"})


def cannot_take(function: Function, path: str, own: frozenset[str], added: frozenset[str]) -> str | None:
    """Why the body may not take the `added` types for a field that was of the types `own`; None where it does."""
    body = _Body(function)
    found = body.uses(path)
    if found is None:
        return f"nobody can tell from its source where '{path}' goes"
    if not found:
        return f"its source never reads '{path}' by that name"
    for node in found:
        for kind in sorted(added):
            if not body.allows(node, kind, own):
                line = ast.unparse(body.statement(node)).splitlines()[0][:80]
                return f"`{line}` does not take {'None' if kind == 'None' else f'a {kind}'}"
    return None


class _Body:
    """A function's nodes with their parents."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        self.names = [a.arg for a in arguments if a.arg not in ("self", "cls")]

    # ---- where the field is read

    def uses(self, path: str) -> list[ast.expr] | None:
        """Every expression that is the field's value; None where a part of the way is lost from sight."""
        steps = [step for step in re.split(r"\.|(\[\])", path) if step]
        if steps[0] in self.names:
            found = self._loads(steps.pop(0))
        elif len(self.names) == 1:
            found = self._loads(self.names[0])
        else:
            return None
        for step in steps:
            if found is None:
                return None
            found = self._each(found) if step == "[]" else self._key(found, step)
        return None if found is None else self._followed(found)

    def _loads(self, name: str) -> list[ast.expr] | None:
        here = [n for n in ast.walk(self.function) if isinstance(n, ast.Name) and n.id == name]
        return None if any(not isinstance(n.ctx, ast.Load) for n in here) else list(here)

    def _followed(self, found: list[ast.expr]) -> list[ast.expr] | None:
        """The uses, those under a name that the value is given with them."""
        made: list[ast.expr] = []
        for node in found:
            parent = self.parents[node]
            if not isinstance(parent, ast.Assign) or parent.value is not node:
                made.append(node)
                continue
            target = parent.targets[0]
            if len(parent.targets) != 1 or not isinstance(target, ast.Name):
                return None
            more = self._once_bound(target.id)
            if more is None:
                return None
            made += more
        return made

    def _once_bound(self, name: str) -> list[ast.expr] | None:
        here = [n for n in ast.walk(self.function) if isinstance(n, ast.Name) and n.id == name]
        if name in self.names or sum(not isinstance(n.ctx, ast.Load) for n in here) != 1:
            return None
        return [n for n in here if isinstance(n.ctx, ast.Load)]

    def _each(self, found: list[ast.expr]) -> list[ast.expr] | None:
        """The elements of these containers; looking at a container's size or truth is no way into it."""
        inner: list[ast.expr] = []
        for node in self._followed(found) or []:
            parent = self.parents[node]
            if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
                bound = self._once_bound(parent.target.id) if isinstance(parent.target, ast.Name) else None
                if bound is None:
                    return None
                inner += bound
            elif not (_called(parent) in ("len", "bool") or self._is_tested(node)):
                return None
        return inner

    def _key(self, found: list[ast.expr], key: str) -> list[ast.expr] | None:
        inner: list[ast.expr] = []
        for node in self._followed(found) or []:
            parent = self.parents[node]
            if isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.slice, ast.Constant):
                if parent.slice.value == key:
                    inner.append(parent)
                continue
            call = self.parents.get(parent)
            is_get = isinstance(parent, ast.Attribute) and parent.attr == "get" and isinstance(call, ast.Call)
            if not is_get or not isinstance(call, ast.Call) or not call.args:
                return None
            wanted = call.args[0]
            if not isinstance(wanted, ast.Constant):
                return None
            if wanted.value == key:
                inner.append(call)
        return inner

    # ---- what a use allows

    def allows(self, node: ast.expr, kind: str, own: frozenset[str]) -> bool:
        """Whether this use works with a value of the added type."""
        if self._is_guarded(node, kind):
            return True
        if kind == "None":
            return self._is_tested(node)
        parent = self.parents[node]
        if self._is_handed_on(parent):
            return True
        if kind in NUMBERS and own <= NUMBERS:  # elsewhere a comparison runs, and is never true
            return _is_equal(parent) or self._is_arithmetic(node, parent)
        return _called(parent) in _PRINTS or (isinstance(parent, ast.FormattedValue) and parent.format_spec is None)

    def _is_handed_on(self, parent: ast.AST) -> bool:
        """Into a dict that is given back: whether its contract takes that too is tried by the rehearsal."""
        return isinstance(parent, ast.Dict) and isinstance(self.parents.get(parent), ast.Return)

    def _is_arithmetic(self, node: ast.expr, parent: ast.AST) -> bool:
        match parent:
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Pow()):
                other = parent.right if parent.left is node else parent.left
                return not isinstance(other, ast.JoinedStr | ast.List | ast.Tuple) and not (
                    isinstance(other, ast.Constant) and isinstance(other.value, str | bytes)
                )
            case ast.UnaryOp() | ast.Compare():
                return True
            case ast.FormattedValue():
                spec = ast.unparse(parent.format_spec).strip("f'\"") if parent.format_spec else ""
                return not spec.endswith(tuple("dxXobcn"))
        return _called(parent) in _ROUNDS

    def _is_tested(self, node: ast.expr) -> bool:
        """`x is None`, `x or …`, `if x`: what a value that may be missing is asked."""
        parent = self.parents[node]
        match parent:
            case ast.Compare(ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()], comparators=[other]):
                return other is node or isinstance(other, ast.Constant)
            case ast.BoolOp(op=ast.Or(), values=values):
                return values[-1] is not node
            case ast.If() | ast.IfExp() | ast.While():
                return parent.test is node
        return isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)

    def _is_guarded(self, node: ast.expr, kind: str) -> bool:
        """Whether it stands where `isinstance` has been asked of the very value, or inside that question; for None also
        where its truth was asked."""
        text, at = ast.unparse(node), self.parents.get(node)
        while at is not None and at is not self.function:
            if _called(at) == "isinstance":
                return True
            if isinstance(at, ast.If | ast.IfExp) and any(
                _called(n) == "isinstance" and isinstance(n, ast.Call) and ast.unparse(n.args[0]) == text
                for n in ast.walk(at.test)
            ):
                return True
            if kind == "None" and isinstance(at, ast.If | ast.IfExp) and self._is_in_body(node, at):
                tested = ast.unparse(at.test)
                if tested in (text, f"{text} is not None"):
                    return True
            at = self.parents.get(at)
        return False

    def _is_in_body(self, node: ast.AST, test: ast.If | ast.IfExp) -> bool:
        body = test.body if isinstance(test.body, list) else [test.body]
        return any(node is inner for one in body for inner in ast.walk(one))

    def statement(self, node: ast.AST) -> ast.AST:
        """The statement that a node stands in."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node


def _called(node: ast.AST | None) -> str | None:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _is_equal(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and all(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)


def parts(annotation: str) -> Iterator[str]:
    """The types that an annotation is a union of: `list[str] | None` -> `list`, `None`."""
    tree = ast.parse(annotation, mode="eval").body
    todo = [tree]
    while todo:
        one = todo.pop()
        if isinstance(one, ast.BinOp) and isinstance(one.op, ast.BitOr):
            todo += [one.left, one.right]
        elif isinstance(one, ast.Subscript):
            yield ast.unparse(one.value)
        else:
            yield ast.unparse(one)
