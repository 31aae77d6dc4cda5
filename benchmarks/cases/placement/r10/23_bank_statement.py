# pure
"""Keeps nothing: reader, writer and buffers are made for the event at hand."""
import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from graphbus_core import GraphBusNode, subscribe

DIALECTS = {"de": {"delimiter": ";", "quotechar": '"'}, "us": {"delimiter": ",", "quotechar": '"'}}
DATES = {"de": "%d.%m.%Y", "us": "%m/%d/%Y"}


@dataclass(frozen=True, order=True)
class Booking:
    day: date
    amount: Decimal
    text: str


def number(raw: str, style: str) -> Decimal:
    if style == "de":
        raw = raw.replace(".", "").replace(",", ".")
    else:
        raw = raw.replace(",", "")
    return Decimal(raw.strip())


def read(text: str, style: str) -> Iterator[Booking | str]:
    reader = csv.DictReader(io.StringIO(text), **DIALECTS[style])
    for row in reader:
        try:
            yield Booking(
                datetime.strptime(row["date"].strip(), DATES[style]).date(),
                number(row["amount"], style),
                " ".join(row["text"].split()),
            )
        except (KeyError, ValueError, InvalidOperation, AttributeError):
            yield f"line {reader.line_num}"


def write(bookings: Iterable[Booking]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    balance = Decimal(0)
    for booking in bookings:
        balance += booking.amount
        writer.writerow([booking.day.isoformat(), booking.text, f"{booking.amount:.2f}", f"{balance:.2f}"])
    return buffer.getvalue()


class BankStatement(GraphBusNode):
    @subscribe("/statement/uploaded")
    def on_statement(self, text: str, style: str) -> dict[str, object]:
        if style not in DIALECTS:
            return {"error": f"style {style}"}
        rows = list(read(text, style))
        bookings = sorted(row for row in rows if isinstance(row, Booking))
        return {"csv": write(bookings), "bad": [row for row in rows if isinstance(row, str)]}
