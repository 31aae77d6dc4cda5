from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from guard import positive


class AccountingResult(TypedDict):
    booked: int


class Accounting(GraphBusNode):
    @depends_on("Donation.pledge")
    @schema_method
    @positive("amount")
    def book(self, amount: int) -> AccountingResult:
        return {"booked": amount}
