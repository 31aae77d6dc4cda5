from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Lot:
    crop: str
    germination: float


class SeedBank(GraphBusNode):
    @schema_method
    def draw(self, crop: str) -> Lot:
        return Lot(crop, 0.8)


class Sower(GraphBusNode):
    @depends_on("SeedBank.draw")
    @schema_method
    def sow(self, crop: str, rate: float) -> dict[str, int]:
        return {"seeds": round(100 / rate)}
