import attrs
from graphbus_core import GraphBusNode, schema_method


@attrs.frozen
class Crate:
    mass_kg: float
    tare_kg: float


class Weigher(GraphBusNode):
    scale = {"apple": 12.5, "pear": 10.0}

    @schema_method(input_schema={"fruit": str}, output_schema={"mass_kg": float, "tare_kg": float})
    def weigh(self, fruit):
        return Crate(mass_kg=self.scale[fruit], tare_kg=1.5)
