# stateful
"""The members of the enumeration are objects that live as long as the program, and each counts down its own budget."""
from decimal import Decimal
from enum import Enum

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")


class Voucher(Enum):
    SPRING = ("spring", "10", "25.00")
    STAFF = ("staff", "30", "60.00")
    SORRY = ("sorry", "15", "8.00")

    def __init__(self, code: str, percent: str, at_most: str) -> None:
        self.code = code
        self.share = Decimal(percent) / 100
        self.at_most = Decimal(at_most)

    @classmethod
    def find(cls, code: str) -> "Voucher | None":
        return next((voucher for voucher in cls if voucher.code == code.casefold()), None)

    def rebate(self, gross: Decimal) -> Decimal:
        """The rebate on a price; a voucher never gives more than its maximum."""
        rebate = min((gross * self.share).quantize(CENT), self.at_most)
        self.at_most -= rebate
        return rebate


class OrderLine:
    def __init__(self, quantity: int, price: str) -> None:
        if quantity < 1:
            raise ValueError("quantity must be positive")
        self.gross = quantity * Decimal(price)
        self.net = self.gross

    def redeem(self, code: str) -> bool:
        voucher = Voucher.find(code)
        if voucher is not None:
            self.net = self.gross - voucher.rebate(self.gross)
        return voucher is not None


class VoucherLines(GraphBusNode):
    @subscribe("/Orders/Line")
    def on_line(self, quantity: int, price: str, code: str) -> dict[str, object]:
        try:
            line = OrderLine(quantity, price)
        except ValueError as error:
            return {"error": str(error)}
        redeemed = line.redeem(code) if code else False
        return {"gross": f"{line.gross:.2f}", "net": f"{line.net:.2f}", "redeemed": redeemed}
