# stateful
from graphbus_core import GraphBusNode, subscribe


class Locked:
    def coin(self):
        self.__class__ = Unlocked
        return "thank you"

    def push(self):
        return "please pay"


class Unlocked:
    def coin(self):
        return "coin returned"

    def push(self):
        self.__class__ = Locked
        return "welcome"


class Turnstile(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.gate = Locked()

    @subscribe("/Gate/Signal")
    def on_signal(self, payload):
        actions = {"coin": self.gate.coin, "push": self.gate.push}
        action = actions.get(payload["signal"])
        if action is not None:
            self.publish("/Gate/Says", {"text": action()})
