# pure
"""Keeps nothing: the parser with its position and the scope with its cells live for one formula only."""
import math
import operator
import re
from collections import ChainMap
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(?P<num>\d+(?:\.\d+)?)|(?P<name>[a-z_]\w*)|(?P<op>[-+*/()]))", re.I)
CONSTANTS = {"pi": math.pi, "gal": 3.785411784}
BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


class FormulaError(Exception):
    pass


class Parser:
    def __init__(self, text: str, scope: ChainMap[str, float]) -> None:
        self.tokens = list(self._tokens(text.rstrip()))
        self.position = 0
        self.scope = scope

    @staticmethod
    def _tokens(text: str):  # type: ignore[no-untyped-def]
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if match is None:
                raise FormulaError(f"column {at + 1}: {text[at]!r}")
            at = match.end()
            yield match.lastgroup, match.group(match.lastgroup)
        yield "end", ""

    def take(self, *wanted: str) -> str | None:
        kind, text = self.tokens[self.position]
        if text in wanted or kind in wanted:
            self.position += 1
            return text
        return None

    def expect(self, wanted: str) -> None:
        if self.take(wanted) is None:
            raise FormulaError(f"{wanted} expected, found {self.tokens[self.position][1]!r}")

    def binary(self, operators: tuple[str, ...], below: Callable[[], float]) -> float:
        value = below()
        while (sign := self.take(*operators)) is not None:
            value = BINARY[sign](value, below())
        return value

    def total(self) -> float:
        return self.binary(("+", "-"), lambda: self.binary(("*", "/"), self.atom))

    def atom(self) -> float:
        if self.take("-") is not None:
            return -self.atom()
        if self.take("(") is not None:
            value = self.total()
            self.expect(")")
        elif (text := self.take("num")) is not None:
            value = float(text)
        elif (name := self.take("name")) is not None:
            value = self.lookup(name)
        else:
            raise FormulaError("formula ends too early or starts wrongly")
        return value

    def lookup(self, name: str) -> float:
        if name not in self.scope:
            raise FormulaError(f"no cell {name}")
        return self.scope[name]


class CellFormulas(GraphBusNode):
    @subscribe("/Sheet/Recalculate")
    def on_formulas(self, cells: dict[str, float], formulas: dict[str, str]) -> dict[str, object]:
        scope: ChainMap[str, float] = ChainMap({}, dict(cells), CONSTANTS)
        results: dict[str, object] = {}
        for name, text in formulas.items():
            try:
                parser = Parser(text, scope)
                value = parser.total()
                parser.expect("end")
            except (FormulaError, ZeroDivisionError, ValueError, TypeError) as error:
                results[name] = f"#{type(error).__name__}: {error}"
            else:
                scope[name] = value
                results[name] = round(value, 6)
        return {"results": results, "assigned": len(scope.maps[0])}
