from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

from money import cents

DAY_COUNT = {"30/360": Decimal(360), "ACT/360": Decimal(360), "ACT/365": Decimal(365)}


class InterestAccrual(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Bank/Interest/Due")
    def accrue(self, balance: str, rate_percent: str, days: int, basis: str) -> dict[str, str]:
        year = DAY_COUNT[basis]
        gross = Decimal(balance) * Decimal(rate_percent) / 100 * days / year
        tax = cents(gross * Decimal("0.25"))
        return {"gross": str(cents(gross)), "tax": str(tax), "net": str(cents(gross) - tax)}
