from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Ride(TypedDict):
    vehicle: str
    dock: int


class Map(GraphBusNode):
    @subscribe("/Ride/Started")
    def on_ride(self, payload: Ride):
        return f"{payload['vehicle']} left {payload['dock']}"
