from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ThermoResult(TypedDict):
    kelvin: float
    pressure: float


class Thermo(GraphBusNode):
    @schema_method
    def read(self, tank: str) -> ThermoResult:
        return {"kelvin": 300.0, "pressure": 900.0}
