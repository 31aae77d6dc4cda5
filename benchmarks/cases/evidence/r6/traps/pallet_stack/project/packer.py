from __future__ import annotations

from collections.abc import Iterator

from graphbus_core import GraphBusNode, schema_method


def layers(count: int, per_layer: int) -> Iterator[int]:
    while count > 0:
        yield min(count, per_layer)
        count -= per_layer


class Packer(GraphBusNode):
    """Cartons on a euro pallet."""

    per_layer = 12
    carton_mm = 220

    @schema_method(
        input_schema={"cartons": int},
        output_schema={"cartons": int, "layers": int, "height_mm": int},
    )
    def build(self, cartons: int):
        built = list(layers(cartons, self.per_layer))
        return {
            "cartons": cartons,
            "layers": len(built),
            "height_mm": 144 + len(built) * self.carton_mm,
        }
