from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PagerResult(TypedDict):
    call: bool


class Pager(GraphBusNode):
    @depends_on("Triage.assess")
    @schema_method
    def page(self, ticket: str, level: int) -> PagerResult:
        return {"call": level >= 2}
