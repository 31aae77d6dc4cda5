from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SamplerResult(TypedDict):
    worker: str
    hours: float
    rate: float


class Sampler(GraphBusNode):
    @schema_method
    def sample(self, worker: str) -> SamplerResult:
        return {"worker": worker, "hours": 8.0, "rate": 0.25}
