from decimal import Decimal, getcontext, localcontext

CONSTANTS = {"R": Decimal("8.31446261815324"), "kB": Decimal("1.380649E-23"), "NA": Decimal("6.02214076E+23")}


def with_digits(n: int):
    getcontext().prec = n
    return getcontext()


def scoped(value: str, n: int) -> Decimal:
    with localcontext() as ctx:
        ctx.prec = n
        return Decimal(value) / Decimal(7)
