from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass(frozen=True)
class Chosen:
    customer: str
    payment_method: str
    amount: int


class Wallet(GraphBusNode):
    @schema_method
    def choose(self, customer: str, amount: int) -> Chosen:
        return Chosen(customer, "pm_visa", amount)
