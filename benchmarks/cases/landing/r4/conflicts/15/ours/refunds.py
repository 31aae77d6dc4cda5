"""Refunds are booked in euros, whatever the customer paid in."""
from money import convert

FEE = 0.50


def refund(order):
    """Euros to give back: all that was paid but the fee."""
    paid = convert(order["paid"], order["currency"], "EUR")
    return round(max(paid - FEE, 0), 2)
