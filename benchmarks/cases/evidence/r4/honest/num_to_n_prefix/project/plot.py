from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PlotResult(TypedDict):
    side: int
    layers: int


class Plot(GraphBusNode):
    @depends_on("Camera.describe")
    @schema_method
    def grid(self, num_pixels: int, num_channels: int) -> PlotResult:
        return {"side": int(num_pixels ** 0.5), "layers": num_channels}
