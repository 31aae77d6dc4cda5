"""A union that a discriminator decides, in a field of a model."""

from typing import Annotated, Literal, Union

from pydantic import BaseModel, Field

from graphbus_core import GraphBusNode, subscribe


class Card(BaseModel):
    method: Literal["card", "debit"]
    digits: str


class Transfer(BaseModel):
    method: Literal["transfer"]
    iban: str


class Payment(BaseModel):
    amount: float
    by: Annotated[Union[Card, Transfer], Field(discriminator="method")]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Payment) -> None: ...


GOOD = [
    {"amount": 5, "by": {"method": "card", "digits": "42"}},
    {"amount": 5.5, "by": {"method": "debit", "digits": ""}},
    {"amount": 0, "by": {"method": "transfer", "iban": "CH1"}},
]
BAD = [
    {"amount": 5, "by": {"method": "transfer", "digits": "42"}},
    {"amount": 5, "by": {"method": "cash", "digits": "42", "iban": "CH1"}},
    {"amount": 5, "by": {"digits": "42"}},
    {"amount": 5, "by": {"method": "card", "digits": None}},
]
