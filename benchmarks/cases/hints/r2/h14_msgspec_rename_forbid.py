"""msgspec Struct with rename="camel", one name given by field(name=), and no unknown fields."""
import msgspec

from graphbus_core import GraphBusNode, subscribe


class LineItem(msgspec.Struct, rename="camel"):
    sku_code: str
    unit_price: float


class Invoice(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    invoice_no: str
    line_items: list[LineItem]
    vat_rate: float = msgspec.field(default=0.2, name="VAT")


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Invoice) -> None:
        self.got = payload


GOOD = [
    {"invoiceNo": "F-1", "lineItems": []},
    {"invoiceNo": "F-1", "lineItems": [{"skuCode": "A", "unitPrice": 3}], "VAT": 0.1},
]
BAD = [
    {"invoice_no": "F-1", "line_items": []},
    {"invoiceNo": "F-1", "lineItems": [], "vatRate": 0.1},
    {"invoiceNo": "F-1", "lineItems": [{"sku_code": "A", "unit_price": 3}]},
    {"invoiceNo": "F-1", "lineItems": [], "comment": "hi"},
    {"invoiceNo": "F-1", "lineItems": [], "VAT": "20%"},
]
