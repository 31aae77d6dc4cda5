# pure
"""Keeps nothing between events: the style stack is pushed and popped in the same call."""
from contextlib import contextmanager
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe


class Printer:
    def __init__(self) -> None:
        self.styles: list[str] = ["normal"]

    @contextmanager
    def style(self, name: str) -> Iterator[None]:
        self.styles.append(name)
        try:
            yield
        finally:
            self.styles.pop()

    def text(self, value: str) -> str:
        return f"<{'+'.join(self.styles)}>{value}"


class ZebraPrinter(Printer):
    codes = {"normal": "A0", "bold": "B0", "inverse": "R0"}

    def text(self, value: str) -> str:
        if not value.isascii():
            raise ValueError(f"cannot print {value!r}")
        return "^" + "^".join(self.codes[style] for style in self.styles) + "^FD" + value


class LabelNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.printer = ZebraPrinter()

    @subscribe("/Label/Wanted")
    def on_label(self, name: str, city: str, fragile: bool) -> dict[str, str]:
        try:
            with self.printer.style("bold"):
                head = self.printer.text(city.upper())
                if fragile:
                    with self.printer.style("inverse"):
                        head += self.printer.text("FRAGILE") + self.printer.text(name)
                        return {"label": head}
            return {"label": head + self.printer.text(name)}
        except ValueError as err:
            return {"error": str(err)}
