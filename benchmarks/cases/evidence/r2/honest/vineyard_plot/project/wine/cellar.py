from graphbus_core import GraphBusNode, depends_on, schema_method

from .names import PlotId


class CellarBook(GraphBusNode):
    @depends_on("Surveyor.measure")
    @schema_method
    def open(self, parcel: PlotId, vines: int) -> dict[str, str]:
        return {"heading": f"{parcel}, {vines} vines"}
