from decimal import Decimal


class Money:
    def __init__(self, text):
        self._value = Decimal(text)

    def as_decimal(self):
        return self._value
