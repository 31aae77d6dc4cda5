from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from datetime import datetime


class TillResult(TypedDict):
    till: str
    closed_at: datetime


class Till(GraphBusNode):
    @schema_method
    def close(self, till: str) -> TillResult:
        return {"till": till, "closed_at": datetime(2026, 1, 5, 0, 30)}
