from money import Money


def cash_up(slips):
    return sum(Money(s) for s in slips)
