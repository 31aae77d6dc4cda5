from graphbus_core import GraphBusNode, depends_on

KNOWN = {1001: "Altmann & Sons", 1002: "Baltic Gear", 1003: "Court Cafe"}


class BillingDesk(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.accounts = {}

    @depends_on("Crm.won")
    def open_account(self, customer_no: int, terms: int = 30):
        name = KNOWN.get(customer_no)
        if name is None:
            raise LookupError(customer_no)
        self.accounts[customer_no] = terms
        return {"account": f"{customer_no}-{name[:3].upper()}", "terms": terms}
