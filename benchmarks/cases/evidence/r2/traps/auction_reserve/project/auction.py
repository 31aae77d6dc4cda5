from graphbus_core import GraphBusNode, depends_on, schema_method


class Bids(GraphBusNode):
    @schema_method
    def top(self, lot: int) -> "TopBid":
        return {"bid": 300, "reserve": 500}


class Hammer(GraphBusNode):
    @depends_on("Bids.top")
    @schema_method
    def fall(self, price: int) -> dict[str, str]:
        return {"call": f"{price} going, going"}


from typing import TypedDict  # noqa: E402


class TopBid(TypedDict):
    bid: int
    reserve: int
