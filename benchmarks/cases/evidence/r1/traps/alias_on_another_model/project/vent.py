from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method
from pydantic import BaseModel, Field


class Chart(BaseModel):
    fio2: float = Field(alias="oxygen_share")


class Mix(TypedDict):
    oxygen: float


class Blender(GraphBusNode):
    @schema_method
    def mix(self) -> Mix:
        """Per cent."""
        return {"oxygen": 40.0}


class Ventilator(GraphBusNode):
    @depends_on("Blender.mix")
    @schema_method
    def set(self, fio2: float) -> dict[str, float]:
        return {"share": min(fio2, 1.0)}
