from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class EstimatorResult(TypedDict):
    price: float


class Estimator(GraphBusNode):
    @depends_on("Survey.measure")
    @schema_method
    def estimate(self, lot: str, floor_area: float) -> EstimatorResult:
        return {"price": floor_area * 3000}
