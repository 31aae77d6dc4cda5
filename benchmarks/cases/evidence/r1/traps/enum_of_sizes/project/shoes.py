from pydantic import BaseModel

from graphbus_core import GraphBusNode, depends_on, schema_method


class Measured(BaseModel):
    model: str
    eu_size: int


class Fitting(GraphBusNode):
    @schema_method
    def measure(self, model: str) -> Measured:
        return Measured(model=model, eu_size=39)


class Stock(GraphBusNode):
    BOXES = {("brogue", 6): 4, ("brogue", 39): 0}

    @depends_on("Fitting.measure")
    @schema_method
    def reserve(self, model: str, uk_size: int) -> dict[str, int]:
        return {"boxes": self.BOXES[model, uk_size]}
