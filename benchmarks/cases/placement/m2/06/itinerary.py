from graphbus_core import GraphBusNode, subscribe

from network import NETWORK


class Itinerary(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.speed = 840

    @subscribe("/Air/Itinerary/Wanted")
    def plan(self, origin: str, destination: str, adults: int) -> dict[str, object]:
        km, stops = NETWORK.path(origin, destination)
        if not stops:
            return {"stops": [], "minutes": 0, "kg_co2": 0}
        minutes = km * 60 // self.speed + 75 * (len(stops) - 2)
        return {"stops": stops, "minutes": minutes, "kg_co2": adults * km * 9 // 100}
