from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CameraResult(TypedDict):
    gate: str
    lux: float
    contrast: float


class Camera(GraphBusNode):
    @schema_method
    def shoot(self, gate: str) -> CameraResult:
        return {"gate": gate, "lux": 8000.0, "contrast": 0.4}
