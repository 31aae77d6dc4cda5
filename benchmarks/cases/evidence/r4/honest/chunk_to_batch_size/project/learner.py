from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class LearnerResult(TypedDict):
    batches: int


class Learner(GraphBusNode):
    @depends_on("Config.load")
    @schema_method
    def fit(self, chunk_size: int, rows: int = 10) -> LearnerResult:
        return {"batches": -(-rows // chunk_size)}
