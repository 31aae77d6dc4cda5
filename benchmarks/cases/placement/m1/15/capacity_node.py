from graphbus_core import GraphBusNode, subscribe

import docks


class CapacityNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._ordered = sorted(docks.ALL_DOCKS, key=lambda d: d.max_tons)

    @subscribe("/Yard/CapacityRequested")
    def handle(self, tons: int) -> list[str]:
        return [d.name for d in self._ordered if d.fits(tons)]
