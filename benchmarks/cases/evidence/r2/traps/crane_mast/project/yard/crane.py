from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Weather:
    speed: float

    def __post_init__(self) -> None:
        self.speed = self.speed * 0.514


class Crane(GraphBusNode):
    @depends_on("Mast.sample")
    @schema_method
    def permit(self, speed: float) -> dict[str, bool]:
        return {"lift": speed < 12}
