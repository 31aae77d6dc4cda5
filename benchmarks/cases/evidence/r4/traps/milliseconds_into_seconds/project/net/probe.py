from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Pong(TypedDict):
    host: str
    elapsed_ms: int


class Probe(GraphBusNode):
    @schema_method
    def ping(self, host: str) -> Pong:
        return {"host": host, "elapsed_ms": 850}
