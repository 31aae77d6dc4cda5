"""What the shop sends for each order, and how it is built from a row of the database."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from annotated_types import Ge, MaxLen, MinLen


class Customer(TypedDict):
    """Who ordered."""

    name: str
    email: NotRequired[str]


class Line(TypedDict):
    """So many of one article, at a price in cents."""

    sku: Annotated[str, MinLen(1), MaxLen(20)]
    quantity: Annotated[int, Ge(1)]
    price_cents: Annotated[int, Ge(0)]


class Order(TypedDict):
    """One order, as it is sent."""

    id: Annotated[int, Ge(1)]
    status: Literal["placed", "paid", "cancelled"]
    currency: Literal["EUR", "USD"]
    customer: Customer
    lines: Annotated[list[Line], MinLen(1)]
    note: NotRequired[str]


def build_order(row: dict[str, Any]) -> Order:
    """The order of a row. A note and an e-mail are sent only where there is one."""
    customer: Customer = {"name": row["customer_name"]}
    if row.get("customer_email"):
        customer["email"] = row["customer_email"]
    order: Order = {
        "id": row["id"],
        "status": row["status"],
        "currency": row["currency"],
        "customer": customer,
        "lines": [
            {"sku": sku, "quantity": quantity, "price_cents": price} for sku, quantity, price in row["lines"]
        ],
    }
    if row.get("note"):
        order["note"] = row["note"]
    return order
