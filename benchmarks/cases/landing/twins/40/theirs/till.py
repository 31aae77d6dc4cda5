from money import Money


def cash_up(slips):
    return sum(Money(s).as_decimal() for s in slips)
