from typing import Annotated

from graphbus_core import Alias, GraphBusNode, depends_on, schema_method


class Deck(GraphBusNode):
    @depends_on("WeighBridge.pass_over")
    @schema_method
    def stow(self, plate: str, mass: Annotated[int, Alias("weight")]) -> dict[str, int]:
        return {"left": 40_000 - mass}
