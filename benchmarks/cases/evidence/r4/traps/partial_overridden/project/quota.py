from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class QuotaResult(TypedDict):
    user: str
    limit: int


class Quota(GraphBusNode):
    @schema_method
    def read(self, user: str) -> QuotaResult:
        return {"user": user, "limit": 5}
