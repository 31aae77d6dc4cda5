from graphbus_core import GraphBusNode, subscribe

from docks import ALL_DOCKS


class OverviewNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Yard/OverviewRequested")
    def handle(self, order: str) -> list[str]:
        if order == "name":
            ALL_DOCKS.sort(key=lambda d: d.name)
        elif order == "size":
            ALL_DOCKS.sort(key=lambda d: d.max_tons)
        return [f"{d.name}:{d.max_tons}" for d in ALL_DOCKS]
