# pure
from graphbus_core import GraphBusNode, subscribe


class RomanClock(GraphBusNode):
    DIGITS = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]

    @staticmethod
    def check(hour):
        return 1 <= hour <= 12

    @classmethod
    def write(cls, hour):
        text = ""
        for value, digit in cls.DIGITS:
            while hour >= value:
                text += digit
                hour -= value
        return text

    @subscribe("/Hour/Struck")
    def on(self, payload):
        if self.check(payload["hour"]):
            self.publish("/Hour/Written", {"text": self.write(payload["hour"])})
