# pure
"""Applies the transfers of one file to its opening balances, all or none."""
from graphbus_core import GraphBusNode, subscribe


class Transaction:
    def __init__(self, balances):
        self.balances = dict(balances)
        self.journal = []

    def __enter__(self):
        return self

    def move(self, source, target, cents):
        self.balances[source] -= cents
        self.balances[target] += cents
        self.journal.append((source, target, cents))
        if self.balances[source] < 0:
            raise ValueError(source)

    def __exit__(self, kind, exc, tb):
        if kind is None:
            return False
        while self.journal:
            source, target, cents = self.journal.pop()
            self.balances[source] += cents
            self.balances[target] -= cents
        return issubclass(kind, ValueError)


class LedgerNode(GraphBusNode):
    @subscribe("/In")
    def on_transfers(self, event):
        with Transaction(event["open"]) as tx:
            for move in event["moves"]:
                tx.move(*move)
        return {"balances": tx.balances, "total": tx.balances["b"], "booked": len(tx.journal)}
