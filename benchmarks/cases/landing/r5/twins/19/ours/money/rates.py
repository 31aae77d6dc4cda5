RATES = {"EUR": 100, "USD": 92, "GBP": 117}


def rate(code):
    """Euro cents for one unit."""
    return RATES[code.upper()]
