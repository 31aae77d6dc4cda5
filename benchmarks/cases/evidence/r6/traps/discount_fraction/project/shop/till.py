"""What the customer pays."""
from graphbus_core import GraphBusNode, depends_on, schema_method

PRICES = {"kettle": 40.0, "mug": 6.5}


class Till(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.drawer = 0.0

    @depends_on("Campaign.current")
    @schema_method(input_schema={"article": str, "factor": float}, output_schema={"due": float})
    def ring(self, article, factor):
        due = round(PRICES[article] * factor, 2)
        self.drawer += due
        return {"due": due}
