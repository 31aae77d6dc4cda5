"""Amounts as people type them."""
from decimal import Decimal, InvalidOperation


def parse_amount(text, strict=False):
    """Return the amount; what is no amount is None, or a ValueError when strict."""
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
