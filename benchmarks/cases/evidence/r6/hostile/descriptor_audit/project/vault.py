from audit import audited
from graphbus_core import GraphBusNode, schema_method


class Vault(GraphBusNode):
    def __init__(self, balance=1000, teller="T4"):
        super().__init__()
        self.balance, self.teller = balance, teller

    @schema_method(input_schema={"amount": int}, output_schema={"balance": int, "teller": str})
    @audited
    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not that much")
        self.balance -= amount
        return {"balance": self.balance, "teller": self.teller}
