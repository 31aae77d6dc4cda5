from money.rates import rate


def quote(amount, code, fee=1):
    """Euro for an amount of another currency, less the fee in percent."""
    return amount * rate(code) * (100 - fee) / 10000
