# stateful
from graphbus_core import GraphBusNode, subscribe


class BirdStation(GraphBusNode):
    rings: list[str] = []

    @subscribe("/Net/Caught")
    def on_caught(self, payload: dict) -> None:
        known = payload["ring"] in BirdStation.rings
        if not known:
            self.rings += [payload["ring"]]
        self.publish("/Bird/Back" if known else "/Bird/New", {"ring": payload["ring"]})
