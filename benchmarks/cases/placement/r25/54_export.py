# stateful
"""Keeps whether the heading was written already, by the position of a buffer that is never emptied."""
import csv
import io
from operator import methodcaller

from graphbus_core import GraphBusNode, subscribe

FIELDS = ("city", "celsius", "rain")


class Export(GraphBusNode):
    """Turns weather records into pieces of a CSV file."""

    def __init__(self) -> None:
        super().__init__()
        self._buffer = io.StringIO()
        self._writer = csv.DictWriter(self._buffer, FIELDS, extrasaction="ignore", lineterminator="\n")

    def _since(self, mark: int) -> str:
        self._buffer.seek(mark)
        return self._buffer.read()

    @subscribe("/weather/record")
    def on_record(self, city: str, celsius: float, rain: int) -> dict[str, str]:
        mark = self._buffer.tell()
        steps = [methodcaller("writerow", {"city": city, "celsius": f"{celsius:.1f}", "rain": rain})]
        if not mark:
            steps.insert(0, methodcaller("writeheader"))
        for step in steps:
            step(self._writer)
        return {"chunk": self._since(mark)}
