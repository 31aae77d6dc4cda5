from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Finished(TypedDict):
    title: str
    duration_s: int


class Studio(GraphBusNode):
    @schema_method
    def finish(self, title: str) -> Finished:
        return {"title": title, "duration_s": 1800}
