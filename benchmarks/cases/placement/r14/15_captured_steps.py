# pure
"""The exit stack is closed at the end of each event, so the undo steps never outlive it."""
from collections.abc import Callable
from contextlib import ExitStack

from graphbus_core import GraphBusNode, subscribe


class StepFailed(RuntimeError):
    pass


Step = Callable[[dict[str, int], ExitStack], None]


def reserve(stock: dict[str, int], undo: ExitStack) -> None:
    if stock["free"] < stock["wanted"]:
        raise StepFailed("not enough stock")
    before = stock["free"]
    stock["free"] -= stock["wanted"]
    undo.callback(stock.__setitem__, "free", before)


def charge(stock: dict[str, int], undo: ExitStack) -> None:
    price = stock["wanted"] * stock["price"]
    if price > stock["balance"]:
        raise StepFailed("not enough money")
    before = stock["balance"]
    stock["balance"] -= price
    undo.callback(stock.__setitem__, "balance", before)


STEPS: tuple[Step, ...] = (reserve, charge)


class Purchase(GraphBusNode):
    """Works out what a purchase would leave, all or nothing."""

    @subscribe("/Purchase/Simulate")
    def on_event(self, free: int, balance: int, price: int, wanted: int) -> dict[str, object]:
        state = {"free": free, "balance": balance, "price": price, "wanted": wanted}
        error = ""
        try:
            with ExitStack() as undo:
                for step in STEPS:
                    step(state, undo)
                undo.pop_all()
        except StepFailed as failure:
            error = str(failure)
        return {"free": state["free"], "balance": state["balance"], "error": error}
