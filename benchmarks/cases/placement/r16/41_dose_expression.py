# pure
"""Keeps nothing: each event gets a parser of its own, which is what moves along the text."""
import operator
import re
from fractions import Fraction
from typing import Callable, Iterator

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([a-z_]+)|(.))")
OPERATORS: dict[str, Callable] = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
FUNCTIONS: dict[str, Callable] = {"min": min, "max": max}


class Parser:
    def __init__(self, text: str, names: dict[str, Fraction]) -> None:
        self.tokens: Iterator[re.Match[str]] = TOKEN.finditer(text.strip())
        self.names = names
        self.current = ""
        self.advance()

    def advance(self) -> str:
        taken = self.current
        match = next(self.tokens, None)
        self.current = "" if match is None else match[match.lastindex]
        return taken

    def expect(self, symbol: str) -> None:
        if self.advance() != symbol:
            raise SyntaxError(f"expected {symbol}")

    def expression(self, operators: str = "+-") -> Fraction:
        lower = self.atom if operators == "*/" else lambda: self.expression("*/")
        value = lower()
        while self.current and self.current in operators:
            apply = OPERATORS[self.advance()]
            value = apply(value, lower())
        return value

    def atom(self) -> Fraction:
        token = self.advance()
        if token == "(":
            value = self.expression()
            self.expect(")")
            return value
        if token in FUNCTIONS:
            self.expect("(")
            arguments = [self.expression()]
            while self.current == ",":
                self.advance()
                arguments.append(self.expression())
            self.expect(")")
            return FUNCTIONS[token](arguments)
        if token in self.names:
            return self.names[token]
        if re.fullmatch(r"\d+(\.\d+)?", token):
            return Fraction(token)
        raise SyntaxError(f"unexpected {token or 'end'}")


class DoseExpression(GraphBusNode):
    @subscribe("/Pharmacy/Dose")
    def on_dose(self, formula: str, values: dict[str, float]) -> dict[str, str]:
        names = {name: Fraction(str(value)) for name, value in values.items()}
        try:
            parser = Parser(formula, names)
            dose = parser.expression()
            if parser.current:
                raise SyntaxError(f"unexpected {parser.current}")
        except (SyntaxError, ZeroDivisionError) as problem:
            return {"error": str(problem)}
        return {"exact": str(dose), "milligrams": f"{float(dose):.3f}"}
