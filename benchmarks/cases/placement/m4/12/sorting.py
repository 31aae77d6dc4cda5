from __future__ import annotations

import csv
import io
from collections import deque

from graphbus_core import GraphBusNode, subscribe

from barcodes import item_id

CHUTES = deque(["north", "east", "south", "west"])


class Overflow(GraphBusNode):
    """Spreads parcels without a readable postcode over the chutes."""

    @subscribe("/Post/Sorting/Unreadable")
    def on_unreadable(self, item: str) -> dict:
        CHUTES.rotate(-1)
        return {"item": item, "chute": CHUTES[0]}


class Manifest(GraphBusNode):
    """CSV of one container."""

    def __init__(self) -> None:
        super().__init__()
        self._out = io.StringIO()
        self._csv = csv.writer(self._out, lineterminator="\n")

    @subscribe("/Post/Sorting/Container")
    def on_container(self, serials: list[int], target: str) -> str:
        for serial in serials:
            self._csv.writerow([item_id("RR", serial), target])
        return self._out.getvalue()
