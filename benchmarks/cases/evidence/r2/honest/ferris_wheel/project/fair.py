from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Counted(TypedDict):
    riders: int


class Turnstile(GraphBusNode):
    @schema_method
    def count(self, clicks: int) -> Counted:
        return {"riders": clicks // 2}


class Wheel(GraphBusNode):
    @depends_on("Turnstile.count")
    @schema_method
    def spin(self, passengers: int) -> dict[str, int]:
        return {"gondolas": (passengers + 3) // 4}
