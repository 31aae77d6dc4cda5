# stateful
"""Writes a label into a pipe and reads at most 40 bytes back, so the rest of a long label waits for the next event."""
import os

from graphbus_core import GraphBusNode, subscribe

HEAD_BYTES = 40
END = "\x1e"


class Head:
    """The print head takes what fits into its line buffer."""

    def __init__(self) -> None:
        self._source, self._sink = os.pipe()

    def run(self, text: str) -> str:
        os.write(self._sink, text.encode("ascii", "replace"))
        return os.read(self._source, HEAD_BYTES).decode("ascii")


def check_digit(number: str) -> int:
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(number)))
    return -total % 10


class LabelPrinter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._head = Head()

    @subscribe("/Label/Print")
    def on_label(self, parcel: str, name: str, town: str) -> dict[str, str]:
        if not parcel.isdigit():
            return {"error": "parcel number has letters"}
        code = f"{parcel}{check_digit(parcel)}"
        printed = self._head.run(f"{code} {name.upper()} {town.upper()}{END}")
        return {"code": code, "printed": printed.replace(END, "|")}
