# pure
"""Running balances of the postings in one statement."""
from graphbus_core import GraphBusNode, subscribe


def running():
    balance = 0
    while True:
        balance += yield balance


class BalanceNode(GraphBusNode):
    @subscribe("/In")
    def on_postings(self, event):
        account = running()
        next(account)
        try:
            lines = [account.send(p) for p in event["postings"]]
        finally:
            account.close()
        return {"lines": lines, "total": lines[-1] if lines else 0}
