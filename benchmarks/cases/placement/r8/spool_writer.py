# stateful
"""Keeps jobs as files in a directory of its own, made at start, and numbers them by what lies there."""
import json
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

SIZES = {"A4": (210, 297), "A5": (148, 210), "letter": (216, 279)}


def area(size: str, pages: int) -> float:
    width, height = SIZES[size]
    return round(width * height * pages / 1_000_000, 3)


class Spool:
    def __init__(self, root: Path) -> None:
        self.root = root

    def path_for(self, user: str) -> Path:
        taken = len(list(self.root.glob(f"{user}-*.json")))
        return self.root / f"{user}-{taken:03d}.json"

    def put(self, user: str, job: dict[str, object]) -> str:
        path = self.path_for(user)
        path.write_text(json.dumps(job), encoding="utf-8")
        return path.stem


class SpoolWriter(GraphBusNode):
    """Takes print jobs."""

    def __init__(self) -> None:
        super().__init__()
        self._tmp = tempfile.TemporaryDirectory(prefix="spool-")
        self.spool = Spool(Path(self._tmp.name))

    @subscribe("/Print/Job")
    def on_job(self, user: str, size: str, pages: int) -> dict[str, object]:
        if size not in SIZES:
            return {"job": None, "reason": f"paper {size}"}
        job = {"size": size, "pages": pages}
        return {"job": self.spool.put(user, job), "square_metres": area(size, pages)}
