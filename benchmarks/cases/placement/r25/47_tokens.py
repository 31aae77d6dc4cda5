# pure
"""Keeps nothing: a new token generator is made and used up for each formula."""
import re
from collections.abc import Iterator
from operator import add, mul, sub

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(\d+|[-+*()])")
OPS = {"+": (1, add), "-": (1, sub), "*": (2, mul)}


def tokens(text: str) -> Iterator[str]:
    pos = 0
    text = text.rstrip()
    while pos < len(text):
        m = TOKEN.match(text, pos)
        if not m:
            raise ValueError(f"bad character at {pos}")
        yield m[1]
        pos = m.end()
    yield "end"


def evaluate(stream: Iterator[str]) -> int:
    look = next(stream)

    def advance():
        nonlocal look
        seen, look = look, next(stream, "end")
        return seen

    def atom():
        tok = advance()
        if tok == "(":
            value = expr(1)
            if advance() != ")":
                raise ValueError("missing )")
            return value
        return int(tok)

    def expr(level):
        left = atom()
        while look in OPS and OPS[look][0] >= level:
            prec, fn = OPS[advance()]
            left = fn(left, expr(prec + 1))
        return left

    result = expr(1)
    if look != "end":
        raise ValueError(f"unexpected {look}")
    return result


class Calculator(GraphBusNode):
    @subscribe("/calc/formula")
    def calc(self, formula: str) -> dict[str, object]:
        try:
            return {"result": evaluate(tokens(formula))}
        except ValueError as err:
            return {"error": str(err)}
