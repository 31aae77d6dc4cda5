"""Titles, prices and running campaigns of the shop."""
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Title:
    isbn: str
    name: str
    price: Decimal
    genre: str


TITLES = {
    t.isbn: t
    for t in (
        Title("9780306406157", "Field Notes on Moss", Decimal("18.50"), "nature"),
        Title("9783161484100", "The Salt Ledger", Decimal("12.00"), "fiction"),
        Title("9780131103627", "Small Engines", Decimal("42.90"), "technical"),
        Title("9781861972712", "Bread in Winter", Decimal("25.00"), "cooking"),
    )
}

QUANTITY_STEPS = ((10, Decimal("0.12")), (5, Decimal("0.07")), (3, Decimal("0.03")))

CAMPAIGNS: list[tuple[str, int]] = [("cooking", 5)]


def step_discount(quantity: int) -> Decimal:
    for floor, part in QUANTITY_STEPS:
        if quantity >= floor:
            return part
    return Decimal(0)


def campaign_percent(genre: str) -> int:
    return max((p for g, p in CAMPAIGNS if g == genre), default=0)
