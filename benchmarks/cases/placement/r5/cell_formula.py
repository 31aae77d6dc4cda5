# pure
"""Keeps nothing: the parser moves its position, but every formula gets a parser of its own."""
import operator
import re

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Z]+\d+)|(.))")
BINARY = {"+": (1, operator.add), "-": (1, operator.sub), "*": (2, operator.mul), "/": (2, operator.truediv)}


class Parser:
    def __init__(self, text: str, cells: dict[str, float]) -> None:
        self.tokens = [match.groups() for match in TOKEN.finditer(text.strip())]
        self.cells = cells
        self.at = 0

    def peek(self) -> str | None:
        return self.tokens[self.at][2] if self.at < len(self.tokens) else None

    def atom(self) -> float:
        if self.at >= len(self.tokens):
            raise SyntaxError("ends too early")
        number, cell, sign = self.tokens[self.at]
        self.at += 1
        if number:
            return float(number)
        if cell:
            return self.cells[cell]
        if sign == "-":
            return -self.atom()
        if sign == "(":
            value = self.expression(1)
            if self.peek() != ")":
                raise SyntaxError("missing )")
            self.at += 1
            return value
        raise SyntaxError(f"unexpected {sign}")

    def expression(self, least: int) -> float:
        left = self.atom()
        while (sign := self.peek()) in BINARY and BINARY[sign][0] >= least:
            self.at += 1
            level, apply = BINARY[sign]
            left = apply(left, self.expression(level + 1))
        return left


class CellFormula(GraphBusNode):
    @subscribe("/Sheet/Formula")
    def on_formula(self, formula: str, cells: dict[str, float]) -> str:
        parser = Parser(formula, cells)
        try:
            value = parser.expression(1)
        except (SyntaxError, KeyError, ZeroDivisionError) as error:
            return f"#{type(error).__name__}"
        return f"{value:.6g}" if parser.at == len(parser.tokens) else "#Rest"
