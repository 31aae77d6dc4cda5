from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from ids import AccountId, UserId


class OrdersResult(TypedDict):
    sku: str
    owner: AccountId
    clerk: UserId


class Orders(GraphBusNode):
    @schema_method
    def place(self, sku: str) -> OrdersResult:
        return {"sku": sku, "owner": AccountId(7), "clerk": UserId(99)}
