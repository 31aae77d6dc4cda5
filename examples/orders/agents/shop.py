"""The shop: it takes from the stock, remembers how much it sold, and may not wipe anything."""

from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe


@depends_on("Stock")
class Shop(GraphBusNode):
    """Sells."""

    SYSTEM_PROMPT = "I sell what the stock has."

    @subscribe("/Order/Placed", timeout_s=5)
    @publishes("/Order/Done", {"sku": str, "left": int})
    def on_order(self, payload):
        left = self.nodes.Stock.take(sku=payload["sku"])["left"]
        self.memory.state["sold"] = self.memory.state.get("sold", 0) + 1
        self.publish("/Order/Done", {"sku": payload["sku"], "left": left})

    @schema_method(input_schema={}, output_schema={"sold": int})
    def sold(self):
        return {"sold": self.memory.state.get("sold", 0)}

    @schema_method(input_schema={}, output_schema={"wiped": bool})
    def wipe(self):
        """The policy has a word to say here."""
        return self.nodes.Stock.wipe()
