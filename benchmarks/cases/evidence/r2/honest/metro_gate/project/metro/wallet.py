from pydantic import BaseModel

from graphbus_core import GraphBusNode, schema_method


class Tap(BaseModel):
    cardNumber: str  # noqa: N815
    credit: int


class Wallet(GraphBusNode):
    @schema_method
    def tap(self, device: str) -> Tap:
        return Tap(cardNumber="9917", credit=4)
