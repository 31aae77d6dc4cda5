from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass
class Totals:
    invoice_no: str
    net_total: float
    vat_rate: float


class Invoice(GraphBusNode):
    @schema_method
    def total(self, invoice_no: str) -> Totals:
        return Totals(invoice_no, 100.0, 0.19)
