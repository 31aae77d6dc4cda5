"""Amounts as people type them."""
from decimal import Decimal, InvalidOperation


def parse_amount(text, strict=True):
    """Return the amount; what is no amount is a ValueError, or None when not strict."""
    cleaned = text.strip().replace("'", "").replace(" ", "")
    if "," in cleaned and "." not in cleaned:
        cleaned = cleaned.replace(",", ".")
    cleaned = cleaned.replace(",", "")
    try:
        return Decimal(cleaned)
    except InvalidOperation:
        if strict:
            raise ValueError(f"not an amount: {text!r}") from None
        return None
