from typing import Annotated, TypedDict

from graphbus_core import Alias, GraphBusNode, depends_on, schema_method


class Boxes(TypedDict):
    boxes: int


class Restock(GraphBusNode):
    @depends_on("Counter.tally")
    @schema_method
    def order(self, pieces: Annotated[int, Alias("qty")]) -> Boxes:
        return {"boxes": -(-(200 - pieces) // 50)}
