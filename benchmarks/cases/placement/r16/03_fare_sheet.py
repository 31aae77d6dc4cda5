# stateful
"""The sheet is written anew for every event, but linecache goes on reading the first one."""
import linecache
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe


def sheet(base: int, zones: int) -> str:
    return "".join(f"{zone}\t{base + 80 * (zone - 1)}\n" for zone in range(1, zones + 1))


class FareSheet(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name, "fares.tsv")

    @subscribe("/Tram/Fare")
    def on_fare(self, base: int, zones: int, zone: int) -> dict[str, object]:
        self._path.write_text(sheet(base, zones), encoding="ascii")
        row = linecache.getline(str(self._path), zone).split()
        if not row:
            return {"zone": zone, "error": "no such zone"}
        return {"zone": int(row[0]), "cents": int(row[1])}
