"""Models."""


class Money:
    def __init__(self, cents):
        self.cents = cents


class Item:
    def __init__(self, name, price):
        self.name = name
        self.price = price
