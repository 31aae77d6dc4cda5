from decimal import Decimal
from typing import Annotated, Literal, Union
from pydantic import BaseModel, Field
from graphbus_core import GraphBusNode, subscribe


class Card(BaseModel):
    method: Literal["card"]
    last4: str = Field(pattern=r"^\d{4}$")


class Bank(BaseModel):
    method: Literal["bank", "sepa"]
    iban: str


class Payment(BaseModel):
    amount: Decimal = Field(gt=0)
    source: Annotated[Union[Card, Bank], Field(discriminator="method")]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Payment) -> None: ...


GOOD = [
    {"amount": "10.00", "source": {"method": "card", "last4": "0123"}},
    {"amount": "0.01", "source": {"method": "bank", "iban": "DE1"}},
    {"amount": "5", "source": {"method": "sepa", "iban": "DE1", "last4": "xx"}},
]
BAD = [
    {"amount": "10.00", "source": {"method": "card", "last4": "123"}},
    {"amount": "0", "source": {"method": "bank", "iban": "DE1"}},
    {"amount": "10.00", "source": {"method": "cash"}},
    {"amount": "10.00", "source": {"iban": "DE1"}},
    {"amount": "10.00", "source": {"method": "bank", "last4": "0123"}},
    {"amount": "ten", "source": {"method": "bank", "iban": "DE1"}},
]
