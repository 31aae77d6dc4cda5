# pure
"""Evaluates a price formula."""
from graphbus_core import GraphBusNode, subscribe
import re

TOKEN = re.compile(r"\s*(?:(\d+)|([a-z]+)|(.))")


class _Parser:
    def __init__(self, text, names):
        self.tokens = [m.groups() for m in TOKEN.finditer(text)]
        self.names = names
        self.pos = 0

    def peek(self):
        return self.tokens[self.pos][2] if self.pos < len(self.tokens) else None

    def take(self):
        self.pos += 1
        return self.tokens[self.pos - 1]

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take()[2] == "+" else value - self.product()
        return value

    def product(self):
        value = self.atom()
        while self.peek() in ("*", "/"):
            value = value * self.atom() if self.take()[2] == "*" else value // self.atom()
        return value

    def atom(self):
        number, name, sign = self.take()
        if number:
            return int(number)
        if name:
            return self.names[name]
        if sign != "(":
            raise ValueError(f"unexpected {sign!r}")
        value = self.sum()
        self.take()
        return value


class CalcNode(GraphBusNode):
    @subscribe("/In")
    def on_formula(self, event):
        return {"formula": event["text"], "total": _Parser(event["text"], event["vars"]).sum()}
