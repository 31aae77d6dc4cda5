from __future__ import annotations

from datetime import date
from typing import Annotated, Generic, Optional, TypeVar

from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, field_validator

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T", bound="Payload")


class Payload(BaseModel):
    model_config = ConfigDict(strict=True, populate_by_name=True)


class InvoiceSent(Payload):
    number: Annotated[str, Field(validation_alias=AliasChoices("number", "invoiceNumber"))]
    amount: float
    copies: int = 1
    sent: bool


class Envelope(BaseModel, Generic[T]):
    region: str = Field(validation_alias=AliasPath("meta", "tags", 0))
    day: Optional[date] = None
    data: T
    batch: list[T] = []

    @field_validator("region")
    @classmethod
    def _known(cls, v: str) -> str:
        if v not in ("eu", "us"):
            raise ValueError("unknown region")
        return v


class InvoiceEnvelope(Envelope[InvoiceSent]):
    version: int = Field(default=1, multiple_of=1, ge=1)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: InvoiceEnvelope) -> None: ...


GOOD = [
    {"meta": {"tags": ["eu"]}, "data": {"number": "I1", "amount": 5, "sent": True}},
    {"meta": {"tags": ["us", 7]}, "day": "2024-01-01", "data": {"invoiceNumber": "I1", "amount": 5.5, "sent": False},
     "version": 2},
    {"meta": {"tags": ["us"]}, "day": None, "data": {"number": "I1", "amount": 5.5, "sent": False, "copies": 3},
     "batch": [{"number": "I2", "amount": 1.5, "sent": True}]},
]
BAD = [
    {"meta": {"tags": []}, "data": {"number": "I1", "amount": 5, "sent": True}},
    {"meta": {"tags": ["mars"]}, "data": {"number": "I1", "amount": 5, "sent": True}},
    {"meta": {"tags": ["eu"]}, "data": {"number": "I1", "amount": "5", "sent": True}},
    {"meta": {"tags": ["eu"]}, "data": {"number": "I1", "amount": 5, "sent": 1}},
    {"meta": {"tags": ["eu"]}, "data": {"number": "I1", "amount": 5, "sent": True, "copies": "2"}},
    {"meta": {"tags": ["eu"]}, "data": {"number": "I1", "amount": 5, "sent": True}, "version": 0},
]
