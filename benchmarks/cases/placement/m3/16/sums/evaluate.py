from __future__ import annotations

import operator

from graphbus_core import GraphBusNode, subscribe

from .tokens import Cursor, Num, scan

OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow}


class Parser:
    def __init__(self, text: str) -> None:
        self.cur = Cursor(scan(text))
        self.depth = 0

    def expr(self) -> float:
        value = self.term()
        while sign := self.cur.take("+-"):
            value = OPS[sign](value, self.term())
        return value

    def term(self) -> float:
        value = self.power()
        while sign := self.cur.take("*/"):
            value = OPS[sign](value, self.power())
        return value

    def power(self) -> float:
        value = self.atom()
        return OPS["^"](value, self.power()) if self.cur.take("^") else value

    def atom(self) -> float:
        if self.cur.take("("):
            self.depth += 1
            value = self.expr()
            if not self.cur.take(")"):
                raise ValueError("missing )")
            return value
        if self.cur.take("-"):
            return -self.atom()
        token = self.cur.now
        if not isinstance(token, Num):
            raise ValueError("number expected")
        self.cur.step()
        return token.value


class Calculator(GraphBusNode):
    @subscribe("/Sum/Typed")
    def typed(self, text: str) -> dict[str, object]:
        try:
            parser = Parser(text)
            value = parser.expr()
        except (ValueError, ArithmeticError) as exc:
            return {"error": str(exc)}
        return {"value": round(value, 6), "brackets": parser.depth}
