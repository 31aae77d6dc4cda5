# pure
"""A parser object is made per event, and its position dies with it."""
import re
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(\d+)|(>=|<=|[()<>=])|([a-z_]+))", re.I)
Facts = dict[str, int]
Test = Callable[[Facts], bool]

COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">": int.__gt__,
    "<": int.__lt__,
    ">=": int.__ge__,
    "<=": int.__le__,
    "=": int.__eq__,
}


class Syntax(ValueError):
    pass


class Parser:
    """expr := term ('or' term)* ; term := atom ('and' atom)* ; atom := '(' expr ')' | name op number"""

    def __init__(self, text: str) -> None:
        self.tokens = [m.group().strip().lower() for m in TOKEN.finditer(text)]
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise Syntax(f"expected {wanted or 'more'}, got {token or 'end'}")
        self.at += 1
        return token

    def expr(self) -> Test:
        tests = [self.term()]
        while self.peek() == "or":
            self.take()
            tests.append(self.term())
        return lambda facts: any(t(facts) for t in tests)

    def term(self) -> Test:
        tests = [self.atom()]
        while self.peek() == "and":
            self.take()
            tests.append(self.atom())
        return lambda facts: all(t(facts) for t in tests)

    def atom(self) -> Test:
        if self.peek() == "(":
            self.take()
            inner = self.expr()
            self.take(")")
            return inner
        name, op, number = self.take(), self.take(), self.take()
        if op not in COMPARE or not number.isdigit():
            raise Syntax(f"cannot compare {name} {op} {number}")
        return lambda facts: COMPARE[op](facts.get(name, 0), int(number))


class Coupons(GraphBusNode):
    @subscribe("/Coupon/Check")
    def on_check(self, code: str, condition: str, total: int, items: int) -> dict[str, object]:
        try:
            granted = Parser(condition).expr()({"total": total, "items": items})
        except Syntax as error:
            return {"code": code, "granted": False, "error": str(error)}
        return {"code": code, "granted": granted}
