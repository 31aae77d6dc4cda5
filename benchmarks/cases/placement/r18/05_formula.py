# pure
"""Keeps nothing that outlives an event: tokens and position are set anew before parsing begins."""
from __future__ import annotations

import math
import operator
import re

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|([A-Za-z_]\w*)|(\*\*|[-+*/%(),]))")
BINARY = {"+": (1, operator.add), "-": (1, operator.sub), "*": (2, operator.mul), "/": (2, operator.truediv),
          "%": (2, operator.mod), "**": (4, operator.pow)}
FUNCTIONS = {"sqrt": math.sqrt, "min": min, "max": max, "abs": abs, "round": round}


class Parser:
    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.names: dict[str, float] = {}

    def evaluate(self, text: str, names: dict[str, float]) -> float:
        self.tokens = self.split(text)[::-1]
        self.names = {"pi": math.pi, **names}
        value = self.expression(0)
        if self.tokens:
            raise SyntaxError(f"unexpected {self.tokens[-1]!r}")
        return value

    @staticmethod
    def split(text: str) -> list[str]:
        tokens, position, text = [], 0, text.rstrip()
        while position < len(text):
            found = TOKEN.match(text, position)
            if not found:
                raise SyntaxError(f"bad character at {position}")
            tokens.append(found[found.lastindex])
            position = found.end()
        return tokens

    def take(self) -> str:
        if not self.tokens:
            raise SyntaxError("unexpected end")
        return self.tokens.pop()

    def expression(self, floor: int) -> float:
        left = self.operand()
        while self.tokens and (entry := BINARY.get(self.tokens[-1])) and entry[0] > floor:
            self.take()
            left = entry[1](left, self.expression(entry[0] - (entry[0] == 4)))
        return left

    def operand(self) -> float:
        token = self.take()
        if token == "-":
            return -self.expression(3)
        if token == "(" or token in FUNCTIONS:
            if token != "(" and self.take() != "(":
                raise SyntaxError(f"{token} needs brackets")
            values = [self.expression(0)]
            while (closing := self.take()) == ",":
                values.append(self.expression(0))
            if closing != ")":
                raise SyntaxError("missing )")
            return FUNCTIONS[token](*values) if token != "(" else values[-1]
        return self.names[token] if token[0].isalpha() else float(token)


class Calculator(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = Parser()

    @subscribe("/Sheet/Cell")
    def on_cell(self, cell: str, formula: str, names: dict[str, float]) -> dict[str, object]:
        try:
            return {"cell": cell, "value": round(self.parser.evaluate(formula.lstrip("="), names), 6)}
        except (SyntaxError, KeyError, ValueError, TypeError, ArithmeticError) as problem:
            return {"cell": cell, "error": f"{type(problem).__name__}: {problem}"}
