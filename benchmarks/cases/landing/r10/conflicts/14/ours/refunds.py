"""Money back for returned goods."""

FULL_DAYS = 14
LATE_PERCENT = 50


def refund_of(cents, days):
    """What a customer gets back when the goods return after some days."""
    if days <= FULL_DAYS:
        return cents
    return cents * LATE_PERCENT // 100


def refund(ledger, customer, cents, number, days=0):
    """Book the refund of a sale; return what was paid back."""
    back = refund_of(cents, days)
    if back:
        ledger.post(customer, -back, f"refund of sale {number}")
    return back
