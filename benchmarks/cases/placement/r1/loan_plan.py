# pure
"""The state of the loan is in the event, and so is what comes out."""

from functools import reduce

from graphbus_core import GraphBusNode, subscribe


def pay(state, amount):
    interest = state["debt"] * state["rate"] / 12
    history = [*state["history"], amount]
    return {**state, "debt": round(state["debt"] + interest - amount, 2), "history": history}


class LoanPlan(GraphBusNode):
    @subscribe("/Loan/Payments")
    def on_payments(self, payload):
        state = reduce(pay, payload["amounts"], payload["state"])
        self.publish("/Loan/State", state)
