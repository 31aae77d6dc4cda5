from graphbus_core import GraphBusNode, subscribe

from accounts import Account
from money import Money


class ChargeNode(GraphBusNode):
    @subscribe("/Charge")
    def on_charge(self, account: str, what: str, amount: str) -> dict:
        if not Account.is_valid(account):
            return {"error": f"no such account: {account}"}
        balance = Account.open(account).charge(what, Money.parse(amount))
        return {"account": account, "balance": str(balance)}
