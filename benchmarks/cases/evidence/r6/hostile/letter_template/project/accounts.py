from graphbus_core import GraphBusNode, schema_method

BOOK = {"K-9": ("Nils Aho", 412.0, 35), "K-10": ("Ada Roe", 20.0, 3)}


class Accounts(GraphBusNode):
    SYSTEM_PROMPT = "I know who owes what."

    @schema_method(
        input_schema={"customer": str},
        output_schema={"name": str, "amount_due": float, "days": int},
    )
    def overdue(self, customer):
        name, amount, days = BOOK[customer]
        return {"name": name, "amount_due": amount, "days": days}
