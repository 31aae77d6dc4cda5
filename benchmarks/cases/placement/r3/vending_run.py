# pure
"""Replays the button log of a vending machine, one log an event."""
from graphbus_core import GraphBusNode, subscribe


class Machine:
    PRICES = {"A": 150, "B": 200}

    def __init__(self):
        self.state = self.idle
        self.credit = 0
        self.sold = []

    def idle(self, key):
        if key.isdigit():
            self.credit += int(key)
            self.state = self.paying

    def paying(self, key):
        if key.isdigit():
            self.credit += int(key)
        elif self.PRICES.get(key, 10 ** 6) <= self.credit:
            self.credit -= self.PRICES[key]
            self.sold.append(key)
            self.state = self.paying if self.credit else self.idle

    def feed(self, key):
        self.state(key)


class VendingRun(GraphBusNode):
    @subscribe("/Vending/Log")
    def on_log(self, payload):
        machine = Machine()
        for key in payload["keys"]:
            machine.feed(key)
        self.publish("/Vending/Result", {"sold": machine.sold, "change": machine.credit})
