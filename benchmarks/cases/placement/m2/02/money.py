from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, getcontext

MINOR_UNITS = {"EUR": 2, "CHF": 2, "JPY": 0, "TND": 3, "USD": 2, "GBP": 2}

# market convention where it is not the bank's own
CONVENTION = {"CHF": ROUND_HALF_UP, "JPY": ROUND_DOWN, "EUR": ROUND_HALF_EVEN}


def enter_currency(ccy: str) -> Decimal:
    """Prepare arithmetic for a currency and give its smallest unit."""
    if ccy in CONVENTION:
        getcontext().rounding = CONVENTION[ccy]
    return Decimal(1).scaleb(-MINOR_UNITS.get(ccy, 2))


def cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"))
