from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass(frozen=True)
class Trip:
    km_empty: float
    km_driven: float


class Ride(GraphBusNode):
    @schema_method(input_schema={"odometer": list}, output_schema=Trip)
    def end(self, odometer):
        out, on, off = odometer
        return Trip(km_empty=on - out, km_driven=off - on)
