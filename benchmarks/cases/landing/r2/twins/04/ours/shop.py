"""Shop."""

from models import Item
from money import Money


def sell(name, cents):
    return Item(name, Money(cents))
