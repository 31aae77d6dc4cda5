# pure
"""Keeps nothing: the sheet, its memo and its set of open cells are made for each event."""
import ast
import operator
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

OPS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}


class CellError(Exception):
    pass


class Sheet:
    def __init__(self, cells: dict[str, str]) -> None:
        self.cells = cells
        self.values: dict[str, float] = {}
        self.open: set[str] = set()

    def value(self, name: str) -> float:
        if name in self.values:
            return self.values[name]
        if name in self.open:
            raise CellError(f"loop at {name}")
        self.open.add(name)
        try:
            tree = ast.parse(self.cells.get(name, "0"), mode="eval")
            self.values[name] = self._walk(tree.body)
        except SyntaxError:
            raise CellError(f"syntax in {name}") from None
        finally:
            self.open.discard(name)
        return self.values[name]

    def _walk(self, node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.Name(id=name):
                return self.value(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._walk(operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPS:
                return OPS[type(op)](self._walk(left), self._walk(right))
        raise CellError(f"cannot do {type(node).__name__}")


class FormulaCells(GraphBusNode):
    @subscribe("/Sheets/Cells")
    def on_cells(self, cells: dict[str, str]) -> dict[str, object]:
        sheet = Sheet(cells)
        result: dict[str, object] = {}
        for name in sorted(cells):
            try:
                result[name] = round(sheet.value(name), 6)
            except (CellError, ZeroDivisionError) as exc:
                result[name] = f"#{exc}"
        return result
