from graphbus_core import GraphBusNode, subscribe

from network import distance


class FleetNode(GraphBusNode):
    position = "HAM"

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Freight/TruckOrdered")
    def handle(self, goal: str) -> dict[str, object]:
        start = self.position
        self.position = goal
        return {"from": start, "empty_km": distance(start, goal)}
