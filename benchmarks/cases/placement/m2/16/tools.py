from graphbus_core import GraphBusNode, subscribe

from store import db

STATIONS = ["mill-1", "mill-2", "lathe-1"]


class ToolCheckin(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Plant/Tool/Scanned")
    def scanned(self, serial: str, station: str, cycles: int) -> dict:
        if station not in STATIONS:
            return {"serial": serial, "station": None, "cycles": -1}
        db.execute("INSERT OR IGNORE INTO tool(serial, station) VALUES (?, ?)", (serial, station))
        row = db.execute("UPDATE tool SET cycles = max(cycles, ?) WHERE serial = ? RETURNING station, cycles",
                         (cycles, serial)).fetchone()
        return {"serial": serial, **dict(row)}
