# pure
"""Keeps nothing: each formula gets its own parser with its own position."""
import re
from collections.abc import Iterator
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(?P<num>\d+(?:\.\d+)?)|(?P<name>[a-z_]+)|(?P<op>[-+*/(),]))")
FUNCTIONS = {"min": min, "max": max, "sum": sum}


def tokens(source: str) -> Iterator[tuple[str, str]]:
    position = 0
    source = source.rstrip()
    while position < len(source):
        found = TOKEN.match(source, position)
        if found is None:
            raise ValueError(f"cannot read at {position}")
        yield str(found.lastgroup), found[found.lastgroup or 0]
        position = found.end()
    yield "end", ""


class Parser:
    def __init__(self, source: str, names: dict[str, Fraction]) -> None:
        self._tokens = tokens(source)
        self._names = names
        self._kind, self._text = next(self._tokens)

    def advance(self) -> str:
        text = self._text
        self._kind, self._text = next(self._tokens, ("end", ""))
        return text

    def expect(self, text: str) -> None:
        if self._text != text:
            raise ValueError(f"expected {text!r}, found {self._text!r}")
        self.advance()

    def sum(self) -> Fraction:
        value = self.product()
        while self._text in ("+", "-"):
            value = value + self.product() if self.advance() == "+" else value - self.product()
        return value

    def product(self) -> Fraction:
        value = self.atom()
        while self._text in ("*", "/"):
            value = value * self.atom() if self.advance() == "*" else value / self.atom()
        return value

    def atom(self) -> Fraction:
        if self._text == "-":
            self.advance()
            return -self.atom()
        if self._text == "(":
            self.advance()
            value = self.sum()
            self.expect(")")
            return value
        kind, text = self._kind, self.advance()
        if kind == "num":
            return Fraction(text)
        if kind == "name" and self._text == "(":
            return self.call(text)
        if kind == "name" and text in self._names:
            return self._names[text]
        raise ValueError(f"unexpected {text!r}")

    def call(self, name: str) -> Fraction:
        if name not in FUNCTIONS:
            raise ValueError(f"no function {name}")
        arguments = []
        while self._text in ("(", ","):
            self.advance()
            arguments.append(self.sum())
        self.expect(")")
        return FUNCTIONS[name](arguments)


class PriceFormula(GraphBusNode):
    @subscribe("/price/formula")
    def on_formula(self, formula: str, variables: dict[str, int]) -> dict[str, str]:
        parser = Parser(formula, {name: Fraction(value) for name, value in variables.items()})
        try:
            value = parser.sum()
            parser.expect("")
        except (ValueError, ZeroDivisionError) as error:
            return {"error": str(error)}
        return {"value": f"{float(value):.4f}"}
