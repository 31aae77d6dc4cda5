"""Expression trees and how to read them."""
from __future__ import annotations

from dataclasses import dataclass

from lexer import Kind, Lexer


@dataclass(frozen=True)
class Num:
    value: int


@dataclass(frozen=True)
class Var:
    name: str


@dataclass(frozen=True)
class Bin:
    op: str
    left: object
    right: object


@dataclass(frozen=True)
class Let:
    name: str
    body: object


OPS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
POWER = {"+": 1, "-": 1, "*": 2}


class Reader:
    def __init__(self, source: str) -> None:
        self.tokens = list(Lexer(source))
        self.i = 0

    def peek(self):
        return self.tokens[self.i]

    def take(self):
        token = self.tokens[self.i]
        self.i += 1
        return token

    def statement(self):
        if len(self.tokens) > 2 and self.tokens[0].kind is Kind.NAME and self.tokens[1].text == "=":
            name = self.take().text
            self.take()
            return Let(name, self.expression())
        return self.expression()

    def expression(self, floor: int = 1):
        left = self.atom()
        while POWER.get(self.peek().text, 0) >= floor:
            op = self.take().text
            left = Bin(op, left, self.expression(POWER[op] + 1))
        return left

    def atom(self):
        token = self.take()
        if token.kind is Kind.NUMBER:
            return Num(int(token.text))
        if token.kind is Kind.NAME:
            return Var(token.text)
        if token.text == "(":
            inner = self.expression()
            self.take()
            return inner
        raise SyntaxError(f"unexpected {token.text!r} at {token.at}")


class Env:
    def __init__(self, parent: Env | None = None) -> None:
        self.parent = parent
        self.names: dict[str, int] = {}

    def get(self, name: str) -> int:
        if name in self.names:
            return self.names[name]
        return self.parent.get(name) if self.parent else 0

    def root(self) -> Env:
        return self.parent.root() if self.parent else self

    def put(self, name: str, value: int) -> None:
        self.root().names[name] = value


BUILTINS = Env()
BUILTINS.put("ten", 10)


def run(tree, env: Env) -> int:
    match tree:
        case Num(value):
            return value
        case Var(name):
            return env.get(name)
        case Let(name, body):
            value = run(body, env)
            env.put(name, value)
            return value
        case Bin(op, left, right):
            return OPS[op](run(left, env), run(right, env))
    raise TypeError(tree)


def show(tree) -> str:
    match tree:
        case Num(value):
            return str(value)
        case Var(name):
            return name
        case Let(name, body):
            return f"{name} = {show(body)}"
        case Bin(op, left, right):
            return f"({show(left)} {op} {show(right)})"
    return "?"
