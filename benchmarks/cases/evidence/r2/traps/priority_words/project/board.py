from typing import Literal

from graphbus_core import GraphBusNode, depends_on, schema_method


class Board(GraphBusNode):
    @depends_on("Scanner.finding")
    @schema_method
    def card(self, title: str, priority: Literal["low", "high"]) -> dict[str, str]:
        return {"column": "today" if priority == "high" else "some day"}
