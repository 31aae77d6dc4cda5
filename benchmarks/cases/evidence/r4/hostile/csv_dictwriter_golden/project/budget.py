from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class BudgetResult(TypedDict):
    eur: int


class Budget(GraphBusNode):
    @depends_on("Census.row")
    @schema_method
    def grant(self, town: str, population: int) -> BudgetResult:
        return {"eur": population * 3}
