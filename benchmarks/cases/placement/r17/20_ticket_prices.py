# pure
"""The context variables are set during an event, but always reset with their token before it ends."""
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch

from graphbus_core import GraphBusNode, subscribe

currency: ContextVar[str] = ContextVar("currency", default="EUR")
reductions: ContextVar[tuple[Fraction, ...]] = ContextVar("reductions", default=())
RATES = {"EUR": Fraction(1), "CHF": Fraction(19, 20), "USD": Fraction(27, 25), "JPY": Fraction(163)}


@contextmanager
def using(variable: ContextVar, value: object) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


@dataclass(frozen=True)
class Seat:
    row: int


@dataclass(frozen=True)
class Standing:
    block: str


@singledispatch
def base_price(place: object) -> Fraction:
    raise TypeError(f"nobody sells {place!r}")


@base_price.register
def _(place: Seat) -> Fraction:
    return Fraction(90) if place.row <= 5 else Fraction(62) - Fraction(place.row, 2)


@base_price.register
def _(place: Standing) -> Fraction:
    return Fraction(35) if place.block in "AB" else Fraction(28)


def priced(place: object) -> Fraction:
    price = base_price(place)
    for share in reductions.get():
        price -= price * share
    return price * RATES[currency.get()]


def read_place(text: str) -> Seat | Standing | str:
    kind, _, rest = text.partition(":")
    match kind:
        case "seat" if rest.isdigit():
            return Seat(int(rest))
        case "standing":
            return Standing(rest.upper())
    return text


class TicketPrices(GraphBusNode):
    @subscribe("/Concert/Tickets")
    def on_tickets(self, places: list[str], pays_in: str, member: bool, student: bool) -> dict[str, object]:
        with ExitStack() as stack:
            if pays_in:
                stack.enter_context(using(currency, pays_in))
            if member:
                stack.enter_context(using(reductions, (*reductions.get(), Fraction(1, 10))))
            if student:
                stack.enter_context(using(reductions, (*reductions.get(), Fraction(1, 4))))
            try:
                prices = [priced(read_place(text)) for text in places]
            except (TypeError, KeyError) as error:
                return {"error": str(error), "currency": currency.get()}
            digits = 0 if currency.get() == "JPY" else 2
            return {
                "prices": [f"{float(price):.{digits}f}" for price in prices],
                "total": f"{float(sum(prices)):.{digits}f} {currency.get()}",
            }
