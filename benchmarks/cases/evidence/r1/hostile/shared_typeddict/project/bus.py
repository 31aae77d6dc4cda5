from graphbus_core import GraphBusNode, schema_method
from shapes import Group


class Bus(GraphBusNode):
    @schema_method
    def stop(self) -> Group:
        return {"people": 40, "origin": "DK"}
