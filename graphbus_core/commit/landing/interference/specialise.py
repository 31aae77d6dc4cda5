"""A function as one call sees it: with the parameters that the call leaves at their defaults put in as constants.

`send(to, text, channel="mail")` that does with `"mail"` what `send(to, text)` did is, for who calls `send(to, text)`,
the same function. Constants are carried through comparisons, conditions, arithmetic, f-strings and names that are given
once. Nothing is run but the arithmetic of constants.
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Mapping
from typing import Any, cast

from graphbus_core.commit.landing.interference.definitions import Function

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Is: operator.is_, ast.IsNot: operator.is_not, ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_LARGE = 10_000  # of a constant that is worked out, as a number or in characters


def specialise(function: Function, constants: Mapping[str, ast.Constant]) -> Function:
    """A copy of a function with some of its parameters, or of `self.name`, replaced by constants, as far as that can be
    carried."""
    if not constants:
        return function
    stored = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
    known = {name: value for name, value in constants.items() if name not in stored}
    once = {name for name in stored if stored.count(name) == 1}
    return cast(Function, _Folding(known, once).visit(copy.deepcopy(function)))


class _Folding(ast.NodeTransformer):
    def __init__(self, known: dict[str, ast.Constant], once: set[str]) -> None:
        self.known, self.once, self.depth = known, once, 0

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.known.get(node.id, node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return self.known.get(ast.unparse(node), node) if isinstance(node.ctx, ast.Load) else node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        self.generic_visit(node)
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value):
                if name in self.once and self.depth == 0:
                    self.known[name] = value
                    return None
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(left=ast.Constant(value=a), ops=[op], comparators=[ast.Constant(value=b)]):
                return _work_out(_COMPARISONS.get(type(op)), a, b) or node
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.BinOp(left=ast.Constant(value=a), op=op, right=ast.Constant(value=b)):
                return _work_out(_ARITHMETIC.get(type(op)), a, b) or node
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        stops = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for i, value in enumerate(node.values):
            if isinstance(value, ast.Constant) and bool(value.value) is not stops and i + 1 < len(node.values):
                continue  # says nothing: the next one decides
            values.append(value)
            if isinstance(value, ast.Constant) and bool(value.value) is stops:
                break
        return values[0] if len(values) == 1 else ast.BoolOp(node.op, values)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        values: list[ast.expr] = []
        for value in node.values:
            match value:
                case ast.FormattedValue(
                    value=ast.Constant(value=str() | int() as constant), conversion=-1, format_spec=None
                ):
                    value = ast.Constant(str(constant))
            match [*values[-1:], value]:
                case [ast.Constant(value=str() as before), ast.Constant(value=str() as after)]:
                    values[-1] = ast.Constant(before + after)
                case [*_, ast.Constant(value="")]:
                    continue
                case _:
                    values.append(value)
        if all(isinstance(value, ast.Constant) for value in values):
            return values[0] if values else ast.Constant("")
        return ast.JoinedStr(values)

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        node.test = self.visit(node.test)
        if isinstance(node.test, ast.Constant):
            return self._visit_block(node.body if node.test.value else node.orelse)
        self.depth += 1
        node.body, node.orelse = self._visit_block(node.body), self._visit_block(node.orelse)
        self.depth -= 1
        return node

    def _visit_block(self, block: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in block:
            made = self.visit(statement)
            out += made if isinstance(made, list) else [made] if made is not None else []
        return out

    def _visit_deeper(self, node: ast.AST) -> ast.AST:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        return node

    visit_For = visit_AsyncFor = visit_While = visit_Try = visit_With = visit_AsyncWith = visit_Match = _visit_deeper


def _work_out(work: Callable[[Any, Any], Any] | None, a: object, b: object) -> ast.Constant | None:
    """What an operator makes of two constants; None where it cannot, or where that would be large."""
    if work is None or any(isinstance(v, int | float) and abs(v) > _LARGE**3 for v in (a, b)):
        return None
    try:
        value = work(a, b)
    except (TypeError, ValueError, ArithmeticError):
        return None
    if isinstance(value, str) and len(value) > _LARGE:
        return None
    return ast.Constant(int(value) if isinstance(value, float) and value.is_integer() else value)
