# stateful
"""The indent goes up in a context manager that does not come down when a part is unknown, so later lists are indented deeper."""
from collections.abc import Iterator
from contextlib import contextmanager

from graphbus_core import GraphBusNode, subscribe

PARTS: dict[str, tuple[str, ...]] = {
    "bicycle": ("frame", "wheelset", "saddle"),
    "wheelset": ("wheel", "wheel", "skewer"),
    "wheel": ("rim", "hub", "spoke"),
    "frame": ("tube", "fork"),
    "trailer": ("wheel", "hitch"),
    "tandem": ("frame", "wheelset", "captain-seat"),
}
RAW = frozenset({"saddle", "skewer", "rim", "hub", "spoke", "tube", "fork"})


class UnknownPart(LookupError):
    pass


class Outline:
    def __init__(self, step: int = 2) -> None:
        self._step = step
        self._level = 0

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self._level += 1
        yield
        self._level -= 1

    def line(self, text: str) -> str:
        return " " * (self._step * self._level) + text


class PartsList(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._outline = Outline()

    def _explode(self, part: str) -> Iterator[str]:
        yield self._outline.line(part)
        if part in RAW:
            return
        if part not in PARTS:
            raise UnknownPart(part)
        with self._outline.deeper():
            for child in PARTS[part]:
                yield from self._explode(child)

    @subscribe("/Plant/Explode")
    def on_explode(self, order: int, part: str) -> dict[str, object]:
        try:
            lines = list(self._explode(part))
        except UnknownPart as missing:
            return {"order": order, "missing": str(missing)}
        return {"order": order, "lines": lines}
