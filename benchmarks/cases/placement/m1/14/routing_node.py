from graphbus_core import GraphBusNode, subscribe

import network


class RoutingNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Freight/RouteRequested")
    def handle(self, start: str, goal: str) -> dict[str, int]:
        km = network.distance(start, goal)
        return {"km": km, "minutes": km * 60 // 70}
