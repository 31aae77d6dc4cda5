# pure
"""Keeps parsed formulas only: the trees are tuples, made from the text alone and never changed."""
from __future__ import annotations

import math
import operator
import re
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[a-z_]+)|(?P<op>\S))")
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_trees: dict[str, tuple] = {}


class FormulaError(ValueError):
    pass


class Parser:
    def __init__(self, text: str) -> None:
        self.tokens = [(str(match.lastgroup), match[str(match.lastgroup)]) for match in TOKEN.finditer(text)]
        self.at = 0

    def _next(self) -> tuple[str, str]:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ("end", "")

    def _chain(self, inner: Callable[[], tuple], signs: tuple[str, str]) -> tuple:
        tree = inner()
        while self.at < len(self.tokens) and self.tokens[self.at][1] in signs:
            tree = (self._next()[1], tree, inner())
        return tree

    def sum(self) -> tuple:
        return self._chain(lambda: self._chain(self.atom, ("*", "/")), ("+", "-"))

    def atom(self) -> tuple:
        kind, text = self._next()
        if kind in ("number", "name"):
            return (kind, text)
        if text == "-":
            return ("-", ("number", "0"), self.atom())
        if text == "(" and (tree := self.sum()) and self._next()[1] == ")":
            return tree
        raise FormulaError(f"unexpected {text or 'end'!r}")


def parse(text: str) -> tuple:
    if text not in _trees:
        if len(_trees) >= 50:
            _trees.clear()
        parser = Parser(text)
        tree = parser.sum()
        if parser.at != len(parser.tokens):
            raise FormulaError("trailing text")
        _trees[text] = tree
    return _trees[text]


def value(tree: tuple, names: dict[str, float]) -> float:
    match tree:
        case ("number", text):
            return float(text)
        case ("name", text):
            return float(names[text])
        case (sign, left, right):
            return OPERATORS[sign](value(left, names), value(right, names))
    raise FormulaError("empty")


class PriceFormulas(GraphBusNode):
    @subscribe("/Quotes")
    def on_quote(self, formula: str, names: dict[str, float]) -> dict[str, object]:
        try:
            result = value(parse(formula), names)
        except FormulaError as problem:
            return {"error": str(problem)}
        except KeyError as missing:
            return {"error": f"unknown name {missing}"}
        except ZeroDivisionError:
            return {"error": "division by zero"}
        return {"price": round(result, 2) if math.isfinite(result) else None}
