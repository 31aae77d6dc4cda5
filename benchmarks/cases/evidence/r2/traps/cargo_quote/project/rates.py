USD = {"EUR": 1.25, "NOK": 0.1, "USD": 1.0}


def in_dollars(amount, currency):
    return amount * USD[currency]
