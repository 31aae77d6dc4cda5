# pure
"""A token table is compiled at import; the position belongs to the generator of one event."""
import re
from enum import Enum, auto
from typing import Iterator, NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Kind(Enum):
    NUMBER = auto()
    STRING = auto()
    NAME = auto()
    KEYWORD = auto()
    OP = auto()
    BRACKET = auto()
    BAD = auto()


class Token(NamedTuple):
    kind: Kind
    text: str
    col: int


RULES = [
    ("NUMBER", r"\d+(?:\.\d+)?"),
    ("STRING", r'"[^"\n]*"'),
    ("NAME", r"[A-Za-z_]\w*"),
    ("OP", r"[<>=!]=|[-+*/<>=]"),
    ("BRACKET", r"[(){}\[\]]"),
    ("SKIP", r"\s+"),
    ("BAD", r"."),
]
MASTER = re.compile("|".join(f"(?P<{name}>{rx})" for name, rx in RULES))
KEYWORDS = {"let", "if", "else", "while"}


def tokens(text: str) -> Iterator[Token]:
    for m in MASTER.finditer(text):
        name = m.lastgroup
        if name == "SKIP":
            continue
        kind = Kind[name]
        if kind is Kind.NAME and m.group() in KEYWORDS:
            kind = Kind.KEYWORD
        yield Token(kind, m.group(), m.start() + 1)


class Lexer(GraphBusNode):
    @subscribe("/source/line")
    def on_line(self, source: str) -> dict:
        found = list(tokens(source))
        depth = worst = 0
        for tok in found:
            if tok.kind is Kind.BRACKET:
                depth += 1 if tok.text in "({[" else -1
                worst = min(worst, depth)
        return {
            "tokens": [f"{t.kind.name.lower()}:{t.text}@{t.col}" for t in found],
            "errors": [t.col for t in found if t.kind is Kind.BAD],
            "balanced": depth == 0 and worst == 0,
        }
