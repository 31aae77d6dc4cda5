from dataclasses import dataclass

from graphbus_core import GraphBusNode, publishes


@dataclass
class Weighed:
    plate: str
    gross_kg: int
    tare_kg: int


class Bridge(GraphBusNode):
    @publishes("/Truck/Weighed", Weighed)
    def weigh(self, plate: str):
        self.publish("/Truck/Weighed", {"plate": plate, "gross_kg": 18000, "tare_kg": 8000})
