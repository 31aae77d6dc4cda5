from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Opened(TypedDict):
    frames: int


class Honey(TypedDict):
    jars: float


class Hive(GraphBusNode):
    @schema_method
    def open(self, number: int) -> Opened:
        return {"frames": 8 + number}


class Extractor(GraphBusNode):
    @depends_on("Hive.open")
    @schema_method
    def spin(self, combs: int) -> Honey:
        return {"jars": combs * 2.5}
