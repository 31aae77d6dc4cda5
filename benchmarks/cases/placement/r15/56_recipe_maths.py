# pure
"""Keeps nothing: scanner and parser carry positions, but live for one expression."""
import operator
import re
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(\d+(?:/\d+|\.\d+)?)|([a-z]+)|(.))")
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, ":": operator.truediv}


class Trouble(ValueError):
    pass


class Parser:
    def __init__(self, text: str, names: dict[str, Fraction]) -> None:
        self._tokens = [found for found in TOKEN.findall(text) if any(found)]
        self._at = 0
        self._names = names
        self.used: list[str] = []

    def _peek(self) -> str:
        return self._tokens[self._at][2] if self._at < len(self._tokens) else ""

    def _take(self) -> tuple[str, str, str]:
        if self._at >= len(self._tokens):
            raise Trouble("ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def total(self) -> Fraction:
        value = self._chain("+-", lambda: self._chain("*:", self._atom))
        if self._at < len(self._tokens):
            raise Trouble(f"left over from token {self._at + 1}")
        return value

    def _chain(self, signs: str, part) -> Fraction:
        value = part()
        while self._peek() and self._peek() in signs:
            sign = self._take()[2]
            value = OPERATORS[sign](value, part())
        return value

    def _atom(self) -> Fraction:
        number, name, sign = self._take()
        if number:
            return Fraction(number)
        if name:
            self.used.append(name)
            if name not in self._names:
                raise Trouble(f"no {name}")
            return self._names[name]
        if sign == "(":
            value = self._chain("+-", lambda: self._chain("*:", self._atom))
            if self._take()[2] != ")":
                raise Trouble("bracket not closed")
            return value
        raise Trouble(f"unexpected {sign}")


class RecipeMaths(GraphBusNode):
    CUPS = {"cup": Fraction(240), "spoon": Fraction(15), "pinch": Fraction(1, 3)}

    @subscribe("/Kitchen/Formula")
    def on_formula(self, formula: str, people: int) -> dict[str, object]:
        parser = Parser(formula.lower(), {**self.CUPS, "people": Fraction(people)})
        try:
            value = parser.total()
        except (Trouble, ZeroDivisionError) as error:
            return {"error": str(error), "used": parser.used}
        return {"millilitres": str(value), "about": round(float(value), 1), "used": parser.used}
