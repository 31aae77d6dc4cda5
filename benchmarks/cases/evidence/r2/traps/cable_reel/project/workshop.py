"""Cable workshop: reels carry a counter, the cutter cuts."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class ReelState:
    cable: str
    meter: int
    left: int


class Reel(GraphBusNode):
    @schema_method
    def state(self) -> ReelState:
        """meter: the number engraved on the counter."""
        return ReelState(cable="NYM 3x1.5", meter=4411, left=80)


class Cutter(GraphBusNode):
    @depends_on("Reel.state")
    @schema_method
    def cut(self, cable: str, metre: int) -> dict[str, str]:
        return {"label": f"{metre} m {cable}"}
