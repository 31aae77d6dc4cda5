# pure
"""The order's status comes with the event and goes out with the answer; the node has only the table of moves."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Status(Enum):
    NEW = "new"
    PAID = "paid"
    PACKED = "packed"
    SENT = "sent"
    CLOSED = "closed"


MOVES: dict[Status, dict[str, Status]] = {}


def move(frm: Status, signal: str, to: Status) -> None:
    MOVES.setdefault(frm, {})[signal] = to


move(Status.NEW, "payment", Status.PAID)
move(Status.NEW, "cancel", Status.CLOSED)
move(Status.PAID, "pick", Status.PACKED)
move(Status.PAID, "cancel", Status.CLOSED)
move(Status.PACKED, "pickup", Status.SENT)
move(Status.SENT, "delivered", Status.CLOSED)


class Machine:
    def __init__(self, status: Status) -> None:
        self.status = status
        self.history: list[str] = []

    def feed(self, signal: str) -> bool:
        target = MOVES.get(self.status, {}).get(signal)
        if target is None:
            return False
        self.history.append(f"{self.status.value}>{target.value}")
        self.status = target
        return True


class OrderWorkflow(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/order/signals")
    def on_signals(self, order: str, status: str, signals: list[str]) -> dict[str, object]:
        machine = Machine(Status(status))
        refused = [signal for signal in signals if not machine.feed(signal)]
        return {"order": order, "status": machine.status.value, "moves": machine.history, "refused": refused}
