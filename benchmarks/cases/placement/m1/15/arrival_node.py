from graphbus_core import GraphBusNode, subscribe

from assignment import AssignmentPolicy


class ArrivalNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._policy = AssignmentPolicy()

    @subscribe("/Yard/TruckArrived")
    def handle(self, plate: str, tons: int) -> dict[str, object]:
        dock = self._policy.choose(tons)
        return {"plate": plate, "dock": dock.name if dock else None}
