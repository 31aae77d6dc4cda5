# stateful
"""Keeps the first depot in the process's environment, from which the paths are expanded."""
import os
from pathlib import PurePosixPath

from graphbus_core import GraphBusNode, subscribe

PATTERNS = {
    "log": "$FLEET_DEPOT/logs/$FLEET_CLASS",
    "map": "$FLEET_DEPOT/maps",
    "photo": "/photos/${FLEET_DEPOT}_$FLEET_CLASS",
}
CLASSES = {"van": "N1", "lorry": "N2", "artic": "N3", "bus": "M3"}


def prepare(depot: str, vehicle: str) -> None:
    os.environ.setdefault("FLEET_DEPOT", depot)
    os.environ["FLEET_CLASS"] = CLASSES.get(vehicle, "X0")


def target(kind: str, number: str) -> PurePosixPath:
    folder = os.path.expandvars(PATTERNS.get(kind, "/other"))
    return PurePosixPath("/", folder, number.replace(" ", "_")).with_suffix(f".{kind}")


class FleetPaths(GraphBusNode):
    @subscribe("/Fleet/Upload")
    def on_upload(self, depot: str, vehicle: str, number: str, kind: str) -> dict[str, object]:
        prepare(depot.strip().lower() or "central", vehicle)
        path = target(kind, number)
        return {"path": str(path), "depth": len(path.parts)}
