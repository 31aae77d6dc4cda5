import heapq
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, schema_method


@dataclass(order=True)
class Car:
    free_at: int
    name: str = field(compare=False)


RIDES = {"r1": ("B1", "C3"), "r2": ("B3", "A1")}


class Dispatch(GraphBusNode):
    """The car that is free first gets the ride."""

    def __init__(self):
        super().__init__()
        self.cars = [Car(5, "taxi 1"), Car(0, "taxi 2")]
        heapq.heapify(self.cars)

    @schema_method(
        input_schema={"ride": str},
        output_schema={"car": str, "pickup_address": str, "dropoff_address": str},
    )
    def assign(self, ride):
        pickup, dropoff = RIDES[ride]
        car = heapq.heappop(self.cars)
        heapq.heappush(self.cars, Car(car.free_at + 15, car.name))
        return {"car": car.name, "pickup_address": pickup, "dropoff_address": dropoff}
