from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method
from taxi.ride import Ride, Trip


class Meter(GraphBusNode):
    @depends_on("Ride.end")
    @schema_method(input_schema={"distance_km": float}, output_schema={"fare": float})
    def bill(self, distance_km):
        return {"fare": 4.0 + 2.0 * distance_km}


@dataclass
class Receipt:
    fare: float

    @classmethod
    def of(cls, trip: Trip):
        return cls(fare=Meter().bill(distance_km=trip.km_driven)["fare"])


def day(*odometers):
    return [Receipt.of(Ride().end(o)).fare for o in odometers]
