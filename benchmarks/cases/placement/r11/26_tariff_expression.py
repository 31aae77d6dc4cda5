# pure
"""Tokenises and evaluates one arithmetic expression with a parser object made for this event; keeps nothing."""
import re
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation

from graphbus_core import GraphBusNode, subscribe

_TOKEN = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[a-z_]+)|(?P<op>[-+*/()]))")


class BadExpression(ValueError):
    pass


@dataclass
class Parser:
    tokens: list[tuple[str, str]]
    names: dict[str, Decimal]
    position: int = 0

    def peek(self) -> str:
        return self.tokens[self.position][1] if self.position < len(self.tokens) else ""

    def take(self) -> tuple[str, str]:
        if self.position >= len(self.tokens):
            raise BadExpression("unexpected end")
        self.position += 1
        return self.tokens[self.position - 1]

    def expression(self) -> Decimal:
        value = self.term()
        while self.peek() in ("+", "-"):
            value = value + self.term() if self.take()[1] == "+" else value - self.term()
        return value

    def term(self) -> Decimal:
        value = self.factor()
        while self.peek() in ("*", "/"):
            value = value * self.factor() if self.take()[1] == "*" else value / self.factor()
        return value

    def factor(self) -> Decimal:
        kind, text = self.take()
        if kind == "number":
            return Decimal(text)
        if kind == "name":
            if text not in self.names:
                raise BadExpression(f"unknown {text}")
            return self.names[text]
        if text == "-":
            return -self.factor()
        if text == "(":
            value = self.expression()
            if self.take()[1] != ")":
                raise BadExpression("missing )")
            return value
        raise BadExpression(f"unexpected {text}")


def tokenize(text: str) -> list[tuple[str, str]]:
    tokens, end = [], 0
    while end < len(text.rstrip()):
        found = _TOKEN.match(text, end)
        if found is None:
            raise BadExpression(f"cannot read {text[end:]!r}")
        tokens.append((found.lastgroup or "", found[found.lastgroup]))
        end = found.end()
    return tokens


class TariffExpression(GraphBusNode):
    @subscribe("/Tariff/Compute")
    def on_compute(self, expression: str, values: dict[str, str]) -> dict[str, str]:
        try:
            parser = Parser(tokenize(expression), {k: Decimal(v) for k, v in values.items()})
            result = parser.expression()
            if parser.peek():
                raise BadExpression(f"left over {parser.peek()}")
        except (BadExpression, DivisionByZero, InvalidOperation) as error:
            return {"error": str(error) if isinstance(error, BadExpression) else "arithmetic"}
        return {"result": str(result.quantize(Decimal("0.001")))}
