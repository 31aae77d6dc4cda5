from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from .tokens import Num, render, scan


class TidyPrinter(GraphBusNode):
    @subscribe("/Sum/Tidy")
    def tidy(self, text: str) -> str:
        return "".join(map(render, scan(text))).strip()


def tape():
    total = 0.0
    while True:
        line = yield total
        total += sum(t.value for t in line if isinstance(t, Num))


class AddingTape(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.tape = tape()
        next(self.tape)

    @subscribe("/Tape/Line")
    def line(self, text: str) -> str:
        return f"{self.tape.send(scan(text)):.2f}"
