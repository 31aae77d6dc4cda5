# pure
"""A Trip object gathers the stops, but a new one is made for every event."""
from graphbus_core import GraphBusNode, subscribe


class Accumulator:
    def __init__(self) -> None:
        self.total = 0
        self.history: list[int] = []

    def add(self, amount: int) -> "Accumulator":
        self.total += amount
        self.history.append(self.total)
        return self


class Trip(Accumulator):
    def __init__(self, capacity: int) -> None:
        super().__init__()
        self.capacity = capacity
        self.left_behind = 0

    def stop(self, boarding: int, alighting: int) -> None:
        self.add(-min(alighting, self.total))
        room = self.capacity - self.total
        if boarding > room:
            self.left_behind += boarding - room
            boarding = room
        self.add(boarding)

    @property
    def peak(self) -> int:
        return max(self.history, default=0)


class TripSheet(GraphBusNode):
    trip_class = Trip

    @subscribe("/Trips/Closed")
    def on_trip(self, capacity: int, stops: list[list[int]]) -> dict:
        self.trip = self.trip_class(capacity)
        for boarding, alighting in stops:
            self.trip.stop(boarding, alighting)
        return {
            "peak": self.trip.peak,
            "left_behind": self.trip.left_behind,
            "still_aboard": self.trip.total,
        }
