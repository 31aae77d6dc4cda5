# pure
"""The buffer of the cleaner is used again for every message, but emptied before."""
import io
from dataclasses import dataclass, field
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


class Cleaner(Protocol):
    def clean(self, text: str) -> str: ...


@dataclass
class Header:
    """Cuts off the agency's header lines, which end with a line of equal signs."""

    rule: str = "===="

    def clean(self, text: str) -> str:
        head, mark, body = text.partition(self.rule)
        return body.lstrip("=\n") if mark else head


@dataclass
class Wrapping:
    buffer: io.StringIO = field(default_factory=io.StringIO)
    width: int = 34

    def clean(self, text: str) -> str:
        self.buffer.seek(0)
        self.buffer.truncate(0)
        used = 0
        for word in text.split():
            if used and used + len(word) + 1 > self.width:
                self.buffer.write("\n")
                used = 0
            used += self.buffer.write(f" {word}" if used else word)
        return self.buffer.getvalue()


@dataclass(frozen=True)
class Quotes:
    def clean(self, text: str) -> str:
        parts = text.split('"')
        marks = ["\u201c" if number % 2 == 0 else "\u201d" for number in range(len(parts) - 1)]
        return "".join(part + mark for part, mark in zip(parts, marks + [""]))


@dataclass
class WireCleaner:
    steps: list[Cleaner] = field(default_factory=lambda: [Header(), Quotes(), Wrapping()])

    def __call__(self, text: str) -> str:
        for step in self.steps:
            text = step.clean(text)
        return text


class WireDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._clean = WireCleaner()

    @subscribe("/Paper/Wire")
    def on_message(self, agency: str, text: str) -> dict[str, object]:
        body = self._clean(text)
        return {"agency": agency.upper(), "body": body, "lines": body.count("\n") + 1}
