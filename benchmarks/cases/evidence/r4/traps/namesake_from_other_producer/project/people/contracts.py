from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ContractsResult(TypedDict):
    worker: str
    rate: float


class Contracts(GraphBusNode):
    @schema_method
    def terms(self, worker: str) -> ContractsResult:
        return {"worker": worker, "rate": 31.5}
