"""Shop."""

from models import Item, Money


def sell(name, cents):
    return Item(name, Money(cents))
