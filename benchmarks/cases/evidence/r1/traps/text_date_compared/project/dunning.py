from datetime import date
from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Row(TypedDict):
    no: int
    due: str


class Import(GraphBusNode):
    @schema_method
    def row(self) -> Row:
        return {"no": 1, "due": "09.01.2026"}


class Dunning(GraphBusNode):
    TODAY = date(2026, 2, 1)

    @depends_on("Import.row")
    @schema_method
    def late(self, no: int, due: date) -> dict[str, bool]:
        return {"late": str(due) < str(self.TODAY)}
