from graphbus_core import GraphBusNode, subscribe

import customs_rules as rules


class ParcelNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._policy = rules.POLICY

    @subscribe("/Customs/ParcelArrived")
    def handle(self, value: int) -> dict[str, bool]:
        return {"free": value < self._policy.free_below}
