from graphbus_core import GraphBusNode, subscribe

from freight import REPOSITORY


class TrackingNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._lookup = REPOSITORY.load

    @subscribe("/Freight/TrackingRequested")
    def handle(self, parcel: str, language: str) -> str:
        depot = self._lookup(parcel)
        if depot is None:
            return {"de": "unbekannt"}.get(language, "unknown")
        return f"{parcel} @ {depot}"
