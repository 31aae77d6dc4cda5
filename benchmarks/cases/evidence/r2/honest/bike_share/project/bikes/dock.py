from typing import TypedDict

from graphbus_core import GraphBusNode, publishes, schema_method


class Released(TypedDict):
    bike: str
    dock: int


class Dock(GraphBusNode):
    @publishes("/Ride/Started", Released)
    @schema_method
    def release(self, dock: int) -> Released:
        released: Released = {"bike": "b-77", "dock": dock}
        self.publish("/Ride/Started", released)
        return released
