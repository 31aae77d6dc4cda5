# stateful
"""Puts the account number next to the customer name."""
from graphbus_core import GraphBusNode, subscribe


class _Directory(dict):
    def __missing__(self, name):
        number = self[name] = 1000 + len(self)
        return number


ACCOUNTS = _Directory({"house": 1000})


class CustomerNumbers(GraphBusNode):
    @subscribe("/In")
    def on_customer(self, event):
        number = ACCOUNTS[event["name"].strip()]
        return {"label": f"{number}-{event['name']}", "total": number}
