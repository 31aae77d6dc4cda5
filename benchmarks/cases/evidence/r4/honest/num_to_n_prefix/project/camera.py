from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CameraResult(TypedDict):
    n_pixels: int
    n_channels: int


class Camera(GraphBusNode):
    @schema_method
    def describe(self, name: str) -> CameraResult:
        return {"n_pixels": 36, "n_channels": 2}
