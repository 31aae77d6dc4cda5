from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method

from .names import PlotId


class Measured(TypedDict):
    plot: PlotId
    vines: int
    slope: str


class Surveyor(GraphBusNode):
    @schema_method
    def measure(self, hill: str) -> Measured:
        return {"plot": PlotId(hill[:3].upper() + "-7"), "vines": 800, "slope": "south"}
