# pure
"""The template is copied deeply for each order before anything is added to it."""
import copy

from graphbus_core import GraphBusNode, subscribe


class Order:
    template = {"vehicles": [], "drivers": 0, "signs": {"front": "RAIL REPLACEMENT", "side": []}}

    def __init__(self) -> None:
        self.body = copy.deepcopy(self.template)

    def add_vehicle(self, kind: str, seats: int) -> None:
        self.body["vehicles"].append({"kind": kind, "seats": seats})
        self.body["drivers"] += 1

    def fill(self, passengers: int) -> None:
        raise NotImplementedError


class ArticulatedOrder(Order):
    def fill(self, passengers: int) -> None:
        while passengers > 0:
            kind, seats = ("articulated", 140) if passengers > 80 else ("solo", 80)
            self.add_vehicle(kind, seats)
            passengers -= seats


class LongDistanceOrder(Order):
    def fill(self, passengers: int) -> None:
        for _ in range(-(-passengers // 48)):
            self.add_vehicle("coach", 48)
        self.body["drivers"] *= 2


class ReplacementService(GraphBusNode):
    @subscribe("/Rail/Closure")
    def on_closure(self, passengers: int, kilometres: float, stations: list[str]) -> dict:
        order = LongDistanceOrder() if kilometres > 60 else ArticulatedOrder()
        order.fill(passengers)
        order.body["signs"]["side"] += stations
        order.body["signs"]["front"] += f" {stations[-1]}" if stations else ""
        return order.body
