# pure
"""Replays one order's whole journal through a state machine made for that event; keeps nothing afterwards."""
from collections.abc import Iterable
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Stage(Enum):
    NEW = "new"
    PAID = "paid"
    SHIPPED = "shipped"
    RETURNED = "returned"
    CLOSED = "closed"


TRANSITIONS: dict[tuple[Stage, str], Stage] = {
    (Stage.NEW, "pay"): Stage.PAID,
    (Stage.NEW, "cancel"): Stage.CLOSED,
    (Stage.PAID, "ship"): Stage.SHIPPED,
    (Stage.PAID, "refund"): Stage.CLOSED,
    (Stage.SHIPPED, "return"): Stage.RETURNED,
    (Stage.SHIPPED, "accept"): Stage.CLOSED,
    (Stage.RETURNED, "refund"): Stage.CLOSED,
}


class OrderMachine:
    def __init__(self, start: Stage = Stage.NEW) -> None:
        self.stage = start
        self.history = [start]
        self.ignored: list[str] = []

    def feed(self, command: str) -> None:
        following = TRANSITIONS.get((self.stage, command))
        if following is None:
            self.ignored.append(command)
            return
        self.stage = following
        self.history.append(following)

    def feed_all(self, commands: Iterable[str]) -> "OrderMachine":
        for command in commands:
            self.feed(command)
        return self


class OrderJournal(GraphBusNode):
    @subscribe("/Orders/Journal")
    def on_journal(self, order: str, commands: list[str]) -> dict:
        machine = OrderMachine().feed_all(c.strip().lower() for c in commands)
        open_commands = sorted(word for stage, word in TRANSITIONS if stage is machine.stage)
        return {
            "order": order,
            "stage": machine.stage.value,
            "history": [s.value for s in machine.history],
            "ignored": machine.ignored,
            "next": open_commands,
        }
