"""Bookings of the shop."""


def sell(ledger, customer, cents, number, clerk="till"):
    """Book a sale; return the position of the entry."""
    return ledger.post(customer, cents, author=clerk, memo=f"sale {number}")
