# pure
"""Keeps nothing: every check is a function of the code alone."""
import re
from abc import ABC, abstractmethod
from itertools import cycle
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


class Code(ABC):
    kinds: ClassVar[list[type["Code"]]] = []
    pattern: ClassVar[re.Pattern[str]]

    def __init_subclass__(cls, pattern: str, **options: object) -> None:
        super().__init_subclass__(**options)
        cls.pattern = re.compile(pattern)
        Code.kinds.append(cls)

    def __init__(self, digits: str) -> None:
        self.digits = digits

    @abstractmethod
    def check(self) -> str: ...

    @property
    def valid(self) -> bool:
        return self.digits[-1] == self.check()


class Isbn10(Code, pattern=r"\d{9}[\dX]"):
    def check(self) -> str:
        rest = sum(weight * int(digit) for weight, digit in zip(range(10, 1, -1), self.digits[:9]))
        return "0123456789X"[-rest % 11]

    def modern(self) -> str:
        stem = "978" + self.digits[:9]
        return stem + Isbn13(stem + "0").check()


class Isbn13(Code, pattern=r"97[89]\d{10}"):
    def check(self) -> str:
        weights = cycle((1, 3))
        return str(-sum(int(digit) * next(weights) for digit in self.digits[:12]) % 10)


class Issn(Code, pattern=r"\d{7}[\dX]"):
    def check(self) -> str:
        rest = sum(weight * int(digit) for weight, digit in zip(range(8, 1, -1), self.digits[:7]))
        return "0123456789X"[-rest % 11]


class IsbnCheck(GraphBusNode):
    @subscribe("/Library/Code")
    def on_code(self, text: str) -> dict[str, object]:
        digits = re.sub(r"[\s-]", "", text).upper()
        for kind in Code.kinds:
            if kind.pattern.fullmatch(digits):
                code = kind(digits)
                answer: dict[str, object] = {"kind": kind.__name__, "valid": code.valid}
                if isinstance(code, Isbn10) and code.valid:
                    answer["modern"] = code.modern()
                return answer
        return {"kind": "unknown", "valid": False}
