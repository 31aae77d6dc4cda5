from pydantic import BaseModel, field_validator

from graphbus_core import GraphBusNode, depends_on, schema_method


class Point(BaseModel):
    mmol: float

    @field_validator("mmol", mode="before")
    @classmethod
    def from_us_device(cls, v):
        return v / 18


class DiabetesChart(GraphBusNode):
    @depends_on("Meter.read")
    @schema_method(input_schema={"mmol": float}, output_schema={"zone": str})
    def plot(self, mmol):
        return {"zone": "high" if mmol > 7.8 else "low" if mmol < 3.9 else "fine"}
