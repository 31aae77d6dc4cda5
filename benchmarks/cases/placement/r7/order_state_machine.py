# pure
"""The state of an order travels with the event and the next one goes out with the answer; the table of transitions is constant."""
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe


class State(str, Enum):
    CART = "cart"
    PLACED = "placed"
    PAID = "paid"
    SHIPPED = "shipped"
    RETURNED = "returned"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Order:
    number: str
    state: State
    paid: int
    total: int

    @property
    def due(self) -> int:
        return max(0, self.total - self.paid)


Guard = Callable[[Order, int], bool]


def always(order: Order, amount: int) -> bool:
    return True


def covers(order: Order, amount: int) -> bool:
    return amount >= order.due


TRANSITIONS: MappingProxyType[tuple[State, str], tuple[Guard, State]] = MappingProxyType({
    (State.CART, "place"): (always, State.PLACED),
    (State.PLACED, "pay"): (covers, State.PAID),
    (State.PLACED, "cancel"): (always, State.CANCELLED),
    (State.PAID, "ship"): (always, State.SHIPPED),
    (State.PAID, "cancel"): (always, State.CANCELLED),
    (State.SHIPPED, "return"): (always, State.RETURNED),
})


def step(order: Order, command: str, amount: int) -> tuple[Order, str]:
    entry = TRANSITIONS.get((order.state, command))
    if entry is None:
        return order, "refused"
    guard, target = entry
    passed = guard(order, amount)
    if command == "pay":
        order = replace(order, paid=order.paid + amount)
    if not passed:
        return order, "waiting"
    return replace(order, state=target), "done"


class OrderFlow(GraphBusNode):
    @subscribe("/orders/command")
    def on_command(self, number: str, state: str, paid: int, total: int, command: str, amount: int) -> dict[str, object]:
        try:
            order = Order(number, State(state), paid, total)
        except ValueError:
            return {"number": number, "result": "unknown state"}
        order, result = step(order, command.lower(), amount)
        refund = order.paid if order.state in (State.CANCELLED, State.RETURNED) else 0
        return {"number": number, "state": order.state.value, "result": result, "paid": order.paid, "due": order.due, "refund": refund}
