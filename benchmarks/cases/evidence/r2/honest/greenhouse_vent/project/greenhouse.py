import typing as t

from graphbus_core import GraphBusNode, depends_on, schema_method

Felt = t.TypedDict("Felt", {"temp": float})
Opening = t.TypedDict("Opening", {"share": float})


class LeafSensor(GraphBusNode):
    """Celsius."""

    @schema_method
    def feel(self, row: int) -> Felt:
        return {"temp": 30.0}


class Vent(GraphBusNode):
    """Opens from 20 degrees Celsius on, and is wide open at 40."""

    @depends_on("LeafSensor.feel")
    @schema_method
    def set(self, temperature: float) -> Opening:
        return {"share": min(1.0, max(0.0, (temperature - 20) / 20))}
