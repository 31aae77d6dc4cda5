"""What people type into the donation box."""
from decimal import Decimal, InvalidOperation

LIMIT = Decimal(10000)


def parse_amount(text):
    try:
        amount = Decimal(text.replace(",", ".").strip())
    except InvalidOperation:
        raise ValueError(f"not an amount: {text!r}") from None
    if amount <= 0:
        raise ValueError("amount must be positive")
    if amount > LIMIT:
        raise ValueError("please call us for that much")
    return amount.quantize(Decimal("0.01"))


def submit(ledger, donor, text):
    amount = parse_amount(text)
    ledger.record(donor, amount)
    return amount
