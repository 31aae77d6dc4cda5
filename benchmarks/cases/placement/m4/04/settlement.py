from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

from rates import fee_in_cents, rate

CENT = Decimal("0.01")
PER = 133  # one cent of fee for so many cents of a transfer abroad


class InterestRun(GraphBusNode):
    @subscribe("/bank/interest")
    def month(self, account: str, balance: str) -> str:
        amount = Decimal(balance)
        return str((amount * rate(account, amount) / 12).quantize(CENT))


class TransferFee(GraphBusNode):
    @subscribe("/bank/transfer")
    def charge(self, cents: int, abroad: bool) -> dict:
        cost = fee_in_cents("transfer")
        if abroad:
            cost = max(fee_in_cents("abroad"), -(-cents // PER))
        return {"fee": cost, "debit": cents + cost}
