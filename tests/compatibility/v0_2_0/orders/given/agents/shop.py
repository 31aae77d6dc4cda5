"""The shop: it takes from the stock, remembers how much it sold, and may not wipe anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe

if TYPE_CHECKING:  # the stub that `graphbus build` writes, in .graphbus/types
    from graphbus_nodes import ANodes, Nodes


@depends_on("Stock")
class Shop(GraphBusNode):
    """Sells."""

    SYSTEM_PROMPT = "I sell what the stock has."
    nodes: Nodes
    anodes: ANodes

    @subscribe("/Order/Placed", timeout_s=5)
    @publishes("/Order/Done", {"sku": str, "left": int})
    def on_order(self, payload: dict[str, Any]) -> None:
        left = self.nodes.Stock.take(sku=payload["sku"])["left"]
        self.memory.state["sold"] = self.memory.state.get("sold", 0) + 1
        self.publish("/Order/Done", {"sku": payload["sku"], "left": left})

    @schema_method(input_schema={}, output_schema={"sold": int})
    def sold(self) -> dict[str, int]:
        return {"sold": self.memory.state.get("sold", 0)}

    @schema_method(input_schema={}, output_schema={"left": int})
    async def apples(self) -> dict[str, int]:
        return {"left": (await self.anodes.Stock.look(sku="apple"))["left"]}

    @schema_method(input_schema={}, output_schema={"wiped": bool})
    def wipe(self) -> dict[str, bool]:
        """The policy has a word to say here: the build names the rule, and the run refuses the call."""
        return {"wiped": self.nodes.Stock.wipe()["wiped"]}
