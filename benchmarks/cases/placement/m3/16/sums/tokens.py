from __future__ import annotations

import re
from dataclasses import dataclass
from functools import singledispatch
from typing import Iterator

_SCANNER = re.Scanner([
    (r"\d+(?:\.\d+)?", lambda s, t: Num(float(t))),
    (r"[-+*/^()]", lambda s, t: Op(t)),
    (r"\s+", None),
])


@dataclass(frozen=True)
class Num:
    value: float


@dataclass(frozen=True)
class Op:
    sign: str


def scan(text: str) -> list[Num | Op]:
    found, rest = _SCANNER.scan(text)
    if rest:
        raise ValueError(f"cannot read {rest!r}")
    return found


@singledispatch
def render(token) -> str:
    return "?"


@render.register
def _(token: Num) -> str:
    return f"{token.value:g}"


@render.register
def _(token: Op) -> str:
    return token.sign if token.sign in "()^" else f" {token.sign} "


class Cursor:
    def __init__(self, tokens: list[Num | Op]) -> None:
        self._it: Iterator[Num | Op] = iter(tokens)
        self.now: Num | Op | None = None
        self.step()

    def step(self) -> None:
        self.now = next(self._it, None)

    def take(self, signs: str) -> str | None:
        if isinstance(self.now, Op) and self.now.sign in signs:
            sign = self.now.sign
            self.step()
            return sign
        return None
