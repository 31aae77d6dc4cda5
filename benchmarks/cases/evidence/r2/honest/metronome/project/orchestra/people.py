from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Beat:
    pulse: int
    bars: int


class Conductor(GraphBusNode):
    @schema_method
    def beat(self, piece: str) -> Beat:
        return Beat(pulse=72, bars=100)


class Orchestra(GraphBusNode):
    @depends_on("Conductor.beat")
    @schema_method
    def play(self, tempo: int, bars: int) -> dict[str, float]:
        return {"minutes": bars * 4 / tempo}
