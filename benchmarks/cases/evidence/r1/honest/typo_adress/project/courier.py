from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Record:
    address: str
    billing_address: str


class Customer(GraphBusNode):
    @schema_method
    def get(self, no: int) -> Record:
        return Record("Dock 1", "PO box 9")


class Courier(GraphBusNode):
    @depends_on("Customer.get")
    @schema_method
    def deliver(self, adress: str) -> dict[str, str]:
        return {"to": adress}
