from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method

Exchange = TypedDict("Exchange", {"name": str, "exchange_type": str})


class Topology(GraphBusNode):
    KINDS = {"logs": "fanout", "jobs": "direct"}

    @schema_method
    def describe(self, name: str) -> Exchange:
        return {"name": name, "exchange_type": self.KINDS[name]}
