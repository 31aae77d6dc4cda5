from decimal import ROUND_HALF_UP, Decimal, localcontext

SYMBOL = {"EUR": ("", " €", ","), "USD": ("$", "", "."), "CHF": ("Fr. ", "", ".")}
STEPS = ((100, 5), (500, 20), (2000, 100), (10**9, 500))


def fmt(amount: Decimal, currency: str) -> str:
    before, after, comma = SYMBOL[currency]
    with localcontext() as ctx:
        ctx.prec = 20
        ctx.rounding = ROUND_HALF_UP
        text = f"{amount.quantize(Decimal('0.01')):,}"
    if comma == ",":
        text = text.translate({ord(","): ".", ord("."): ","})
    return before + text + after


def step(amount: int) -> int:
    return next(s for limit, s in STEPS if amount < limit)
