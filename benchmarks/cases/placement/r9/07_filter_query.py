# pure
"""Parses one filter expression with a parser object made for it."""
import re

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(and|or|not)\b|([a-z_]+)|(-?\d+(?:\.\d+)?)|(<=|>=|!=|[<>=()]))", re.I)
COMPARE = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


class Parser:
    def __init__(self, text: str, row: dict[str, float]) -> None:
        self.tokens = self.split(text.strip())
        self.row = row
        self.position = 0

    @staticmethod
    def split(text: str) -> list[str]:
        tokens, place = [], 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if match is None:
                raise SyntaxError(f"unexpected {text[place:place + 5]!r}")
            tokens.append(match.group().strip().lower())
            place = match.end()
        return tokens

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def either(self) -> bool:
        value = self.both()
        while self.peek() == "or":
            self.take()
            value = self.both() or value
        return value

    def both(self) -> bool:
        value = self.single()
        while self.peek() == "and":
            self.take()
            value = self.single() and value
        return value

    def single(self) -> bool:
        token = self.take()
        if token == "not":
            return not self.single()
        if token == "(":
            value = self.either()
            if self.take() != ")":
                raise SyntaxError("parenthesis not closed")
            return value
        sign, number = self.take(), self.take()
        if sign not in COMPARE or not number:
            raise SyntaxError(f"comparison expected after {token!r}")
        return COMPARE[sign](self.row.get(token, 0.0), float(number))


class FilterQuery(GraphBusNode):
    @subscribe("/Rows/Match")
    def on_match(self, query: str, row: dict[str, float]) -> dict[str, object]:
        try:
            parser = Parser(query, row)
            hit = parser.either()
            if parser.peek():
                raise SyntaxError(f"left over: {parser.peek()!r}")
        except (SyntaxError, ValueError) as problem:
            return {"error": str(problem)}
        return {"match": hit}
