# pure
"""Keeps parsed method codes in a bounded dict that forgets the oldest; a code always parses alike."""
from dataclasses import dataclass, field
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Method:
    analyte: str
    slope: float
    intercept: float
    digits: int


class Source(Protocol):
    def method(self, code: str) -> Method: ...


class CodeParser:
    """GLU*1.02-0.3/2 is analyte, slope, intercept and digits."""

    def method(self, code: str) -> Method:
        analyte, _, rest = code.partition("*")
        numbers, _, digits = rest.partition("/")
        cut = max(numbers.rfind("+"), numbers.rfind("-"))
        return Method(analyte, float(numbers[:cut]), float(numbers[cut:]), int(digits or 1))


@dataclass
class Remembering:
    source: Source
    limit: int = 2
    kept: dict[str, Method] = field(default_factory=dict)

    def method(self, code: str) -> Method:
        if code not in self.kept:
            while len(self.kept) >= self.limit:
                self.kept.pop(next(iter(self.kept)))
            self.kept[code] = self.source.method(code)
        return self.kept[code]


class AssayNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.source: Source = Remembering(CodeParser())

    @subscribe("/Analyzer/Signal")
    def on_signal(self, code: str, signal: float) -> dict[str, object]:
        try:
            method = self.source.method(code)
        except ValueError:
            return {"code": code, "error": "unreadable method"}
        value = method.slope * signal + method.intercept
        return {"analyte": method.analyte, "value": round(max(value, 0.0), method.digits)}
