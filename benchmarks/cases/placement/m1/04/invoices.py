from graphbus_core import GraphBusNode, subscribe

import plugins


class Invoices(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Shop/InvoiceWanted")
    def on_event(self, customer: str, cents: int) -> dict[str, object]:
        return {"number": plugins.numbered("R"), "to": customer, "sum": f"{cents / 100:.2f}"}
