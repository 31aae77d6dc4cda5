# pure
"""The parser walks one formula and is dropped; operators come from a constant table."""
import operator
import re
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(.))")
OPERATORS: dict[str, tuple[int, Callable[[float, float], float]]] = {
    "+": (1, operator.add),
    "-": (1, operator.sub),
    "*": (2, operator.mul),
    "/": (2, operator.truediv),
}
FUNCTIONS: dict[str, Callable[[float], float]] = {"abs": abs, "neg": operator.neg, "half": lambda x: x / 2}


class FormulaError(Exception):
    pass


class Parser:
    def __init__(self, text: str, cells: dict[str, float]) -> None:
        self.tokens = [m.groups() for m in TOKEN.finditer(text.strip())]
        self.cells = cells
        self.index = 0

    def peek(self) -> str:
        if self.index >= len(self.tokens):
            return ""
        return next(part for part in self.tokens[self.index] if part)

    def take(self) -> tuple[str, str, str]:
        if self.index >= len(self.tokens):
            raise FormulaError("unexpected end")
        token = self.tokens[self.index]
        self.index += 1
        return token

    def primary(self) -> float:
        number, name, symbol = self.take()
        if number:
            return float(number)
        if name:
            if name in FUNCTIONS and self.peek() == "(":
                return FUNCTIONS[name](self.primary())
            if name not in self.cells:
                raise FormulaError(f"no cell {name}")
            return self.cells[name]
        if symbol == "(":
            value = self.expression(0)
            if self.take()[2] != ")":
                raise FormulaError("missing )")
            return value
        raise FormulaError(f"unexpected {symbol}")

    def expression(self, floor: int) -> float:
        left = self.primary()
        while (entry := OPERATORS.get(self.peek())) and entry[0] > floor:
            self.take()
            left = entry[1](left, self.expression(entry[0]))
        return left


class Sheet(GraphBusNode):
    @subscribe("/sheet/formula")
    def on_formula(self, cell: str, formula: str, cells: dict[str, float]) -> dict[str, object]:
        parser = Parser(formula, cells)
        try:
            value = parser.expression(0)
            if parser.peek():
                raise FormulaError(f"trailing {parser.peek()}")
        except (FormulaError, ZeroDivisionError) as problem:
            return {"cell": cell, "error": str(problem)}
        return {"cell": cell, "value": round(value, 6)}
