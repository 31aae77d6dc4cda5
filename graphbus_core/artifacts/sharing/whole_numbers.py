"""Lines that fill a table with whole numbers, and cannot fail: loops over a range, and operators that know no error."""

from __future__ import annotations

import ast
from collections.abc import Sequence

_SAFE = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
_SAFE_WITH = (ast.LShift, ast.RShift, ast.FloorDiv, ast.Mod)  # where the right side is a constant above 0
_MAX_SHIFT = 1 << 20  # more bits may not fit into the memory


def find_whole(lines: Sequence[ast.stmt], table: str, is_dict: bool) -> set[str] | None:
    """Names that the lines do not bind, and must stand for whole numbers; None where the lines may fail all the same.

    `table` is the name of what is filled: an empty list, or dict.
    """
    filling = _Filling(table, is_dict)
    parts = [part for line in lines for part in ast.walk(line) if isinstance(part, ast.Name)]
    bound = {part.id for part in parts if not isinstance(part.ctx, ast.Load)}
    if not filling.follow(lines, set()) or filling.asked & (bound | {table}):
        return None
    return filling.asked


class _Filling:
    def __init__(self, table: str, is_dict: bool) -> None:
        self._table, self._is_dict = table, is_dict
        self.asked: set[str] = set()

    def follow(self, lines: Sequence[ast.stmt], known: set[str]) -> bool:
        """Whether none of these can fail, with these names bound to whole numbers; more of them are, after."""
        return all(self._follow_line(line, known) for line in lines)

    def _follow_line(self, line: ast.stmt, known: set[str]) -> bool:
        match line:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name != self._table:
                if not self._is_number(value, known):
                    return False
                known.add(name)
                return True
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if name in known:
                return self._is_safe(op, value, known)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=self._table), slice=key)], value=value):
                return self._is_dict and self._is_number(key, known) and self._is_number(value, known)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="append"), args=[value], keywords=[])
            ):
                return table == self._table and not self._is_dict and self._is_number(value, known)
            case ast.If(test=test, body=body, orelse=orelse):
                first, second = {*known}, {*known}
                if not self._is_number(test, known) or not self.follow(body, first) or not self.follow(orelse, second):
                    return False
                known |= first & second
                return True
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range"), args=[_] | [_, _] as bounds, keywords=[]),
                body=body,
                orelse=[],
            ) if name != self._table:
                return all(self._is_number(b, known) for b in bounds) and self.follow(body, {*known, name})
        return False

    def _is_number(self, node: ast.expr, known: set[str]) -> bool:
        """Whether it gives a whole number, and no error."""
        match node:
            case ast.Constant(value=value):
                return type(value) is int
            case ast.Name(id=name):
                if name not in known:
                    self.asked.add(name)
                return name != self._table
            case ast.BinOp(left=left, op=op, right=right):
                return self._is_number(left, known) and self._is_safe(op, right, known)
            case ast.UnaryOp(operand=operand):
                return self._is_number(operand, known)
            case ast.IfExp(test=test, body=first, orelse=second):
                return all(self._is_number(part, known) for part in (test, first, second))
            case ast.Compare(left=left, ops=ops, comparators=others):
                is_known = not any(isinstance(op, ast.In | ast.NotIn) for op in ops)
                return is_known and all(self._is_number(part, known) for part in (left, *others))
        return False

    def _is_safe(self, op: ast.operator, right: ast.expr, known: set[str]) -> bool:
        if isinstance(op, _SAFE_WITH):
            return isinstance(right, ast.Constant) and type(right.value) is int and 0 < right.value <= _MAX_SHIFT
        return isinstance(op, _SAFE) and self._is_number(right, known)
