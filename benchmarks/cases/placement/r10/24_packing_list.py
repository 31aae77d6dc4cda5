# stateful
"""Keeps the tail of a longer earlier text, because the shared buffer is rewound but not truncated."""
import csv
import io
from dataclasses import dataclass
from typing import Any

from graphbus_core import GraphBusNode, subscribe


class Semicolon(csv.excel):
    delimiter = ";"
    lineterminator = "\n"


@dataclass(order=True)
class Position:
    shelf: str
    sku: str
    quantity: int

    @classmethod
    def parse(cls, raw: str) -> "Position":
        shelf, sku, quantity = (part.strip() for part in raw.split("/"))
        return cls(shelf.upper(), sku, int(quantity))


class PackingList(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._buffer = io.StringIO(newline="")
        self._writer = csv.writer(self._buffer, dialect=Semicolon)

    def _write(self, positions: list[Position]) -> str:
        self._buffer.seek(0)
        self._writer.writerow(("shelf", "sku", "qty"))
        for position in sorted(positions):
            self._writer.writerow((position.shelf, position.sku, position.quantity))
        return self._buffer.getvalue()

    @subscribe("/packing/list")
    def on_list(self, order: str, positions: list[str]) -> dict[str, Any]:
        try:
            parsed = [Position.parse(raw) for raw in positions]
        except ValueError as error:
            return {"order": order, "error": str(error)}
        return {"order": order, "csv": self._write(parsed), "pieces": sum(p.quantity for p in parsed)}
