# stateful
"""Claims each scan with a marker file in a directory it made at the start; a second scan finds the marker."""
import hashlib
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

BELTS = {"D": "domestic", "E": "europe", "W": "world"}


def workspace() -> Path:
    return Path(tempfile.mkdtemp(prefix="scans-"))


def claim(folder: Path, key: str) -> bool:
    marker = folder / hashlib.sha1(key.encode()).hexdigest()[:16]
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


class ScanStation(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._claim = lambda key, folder=workspace(): claim(folder, key)

    @subscribe("/Belt/Scan")
    def on_scan(self, barcode: str, grams: int) -> dict[str, object]:
        belt = BELTS.get(barcode[:1], "manual")
        if not barcode[1:].isdigit():
            return {"belt": "manual", "reason": "unreadable"}
        if not self._claim(barcode):
            return {"belt": "return", "reason": "scanned twice"}
        return {"belt": belt, "heavy": grams > 20_000}
