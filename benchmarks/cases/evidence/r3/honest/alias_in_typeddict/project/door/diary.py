from typing import Annotated, TypedDict

from graphbus_core import Alias, GraphBusNode, schema_method, subscribe


class Visit(TypedDict):
    guest: Annotated[str, Alias("visitor")]
    hour: int


class Diary(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.pages = {}

    @subscribe("/Door/Rang")
    @schema_method(input_schema=Visit)
    def on_ring(self, payload: Visit):
        self.pages.setdefault(payload["hour"], []).append(payload["guest"])
