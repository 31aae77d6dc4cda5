from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Strip(GraphBusNode):
    class Colours(TypedDict):
        hardness: float
        acid: float

    @schema_method
    def test(self, tank: str) -> Colours:
        """German degrees, pH."""
        return {"hardness": 10.0, "acid": 7.0}
