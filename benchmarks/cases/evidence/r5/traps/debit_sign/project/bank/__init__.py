from bank.card import Card
from bank.ledger import Ledger


def book(shop):
    swiped = Card().swipe(shop)
    return Ledger().post(change=-swiped["amount"])["balance"]
