from graphbus_core import GraphBusNode, subscribe

from accounts import Account
from money import Money

RATES = {"DE": 19, "AT": 20, "FR": 20, "LU": 17}
REDUCED = {"DE": 7, "AT": 10, "FR": 6, "LU": 8}


class TaxNode(GraphBusNode):
    """Splits a list of amounts into net, tax and gross."""

    @subscribe("/Tax")
    def on_tax(self, account: str, country: str, net: list[str], reduced: bool) -> dict:
        table = REDUCED if reduced else RATES
        rate = table.get(country, 0)
        total = Money.zero()
        tax = Money.zero()
        for text in net:
            amount = Money.parse(text)
            total += amount
            tax += amount.percent(rate)
        return {
            "valid": Account.is_valid(account),
            "net": str(total),
            "tax": str(tax),
            "gross": str(total + tax),
        }
