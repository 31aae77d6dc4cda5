import decimal

from graphbus_core import GraphBusNode, subscribe

ROUNDING = {
    "CH": decimal.ROUND_HALF_UP,
    "DE": decimal.ROUND_HALF_EVEN,
    "US": decimal.ROUND_DOWN,
    "JP": decimal.ROUND_CEILING,
}


class BranchProfile(GraphBusNode):
    """Branch opens its books: local accounting rules."""

    @subscribe("/bank/branch")
    def open_books(self, country: str) -> dict:
        ctx = decimal.getcontext()
        ctx.rounding = ROUNDING.get(country, decimal.ROUND_HALF_EVEN)
        return {"country": country, "ok": country in ROUNDING}


class CashRounding(GraphBusNode):
    """What a customer pays in cash, per country."""

    smallest = {"CH": "0.05", "DE": "0.01", "US": "0.01", "JP": "1"}

    @subscribe("/bank/cash")
    def to_cash(self, country: str, amount: str) -> str:
        with decimal.localcontext(decimal.Context(prec=20, rounding=ROUNDING.get(country))) as ctx:
            step = ctx.create_decimal(self.smallest[country])
            units = (ctx.create_decimal(amount) / step).to_integral_value()
            return str(units * step)
