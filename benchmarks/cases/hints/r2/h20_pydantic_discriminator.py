"""pydantic union with Field(discriminator=), one arm of which takes two literal values, nested in a list."""
from typing import Annotated, Literal, Union

from pydantic import BaseModel, Field

from graphbus_core import GraphBusNode, subscribe


class Card(BaseModel):
    method: Literal["visa", "mastercard"]
    last4: Annotated[str, Field(pattern=r"^\d{4}$")]


class Transfer(BaseModel):
    method: Literal["sepa"] = "sepa"
    iban: str = Field(min_length=15)


class Cash(BaseModel):
    method: Literal["cash"]


Payment = Annotated[Union[Card, Transfer, Cash], Field(discriminator="method")]


class Receipt(BaseModel):
    total: float = Field(gt=0)
    payments: list[Payment] = Field(min_length=1)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Receipt) -> None:
        self.got = payload


GOOD = [
    {"total": 5, "payments": [{"method": "cash"}]},
    {"total": 5.5, "payments": [{"method": "mastercard", "last4": "1234"}, {"method": "sepa", "iban": "DE89370400440532013000"}]},
]
BAD = [
    {"total": 5, "payments": []},
    {"total": 0, "payments": [{"method": "cash"}]},
    {"total": 5, "payments": [{"method": "visa", "last4": "12"}]},
    {"total": 5, "payments": [{"method": "amex", "last4": "1234"}]},
    {"total": 5, "payments": [{"method": "cash", "last4": "1234"}, {"method": "visa"}]},
    {"total": 5, "payments": [{"iban": "DE89370400440532013000"}]},
]
