# pure
"""Keeps nothing: rounding, precision and the flags are those of a context of its own for each invoice."""
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, InvalidOperation, Rounded, localcontext
from enum import Enum
from itertools import groupby
from operator import attrgetter

from graphbus_core import GraphBusNode, subscribe


class Vat(Enum):
    FULL = Decimal("19")
    REDUCED = Decimal("7")
    NONE = Decimal("0")

    @classmethod
    def of(cls, category: str) -> "Vat":
        return {"food": cls.REDUCED, "book": cls.REDUCED, "postage": cls.NONE}.get(category, cls.FULL)

    @property
    def label(self) -> str:
        return f"{self.value}%"


@dataclass
class Item:
    net: Decimal
    vat: Vat


@dataclass
class Invoice:
    number: str
    items: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, category: str, net: str) -> None:
        self.items.append(Item(Decimal(net), Vat.of(category)))

    def totals(self) -> dict[str, str]:
        cent = Decimal("0.01")
        result: dict[str, str] = {}
        grand = Decimal(0)
        with localcontext(Context(prec=18, rounding=ROUND_HALF_EVEN)) as context:
            self.items.sort(key=lambda item: (item.vat.value, item.net))
            for vat, items in groupby(self.items, key=attrgetter("vat")):
                context.clear_flags()
                net = sum((item.net for item in items), Decimal(0))
                tax = (net * vat.value / 100).quantize(cent)
                if context.flags[Inexact]:
                    self.notes.append(f"{vat.label} rounded")
                elif context.flags[Rounded]:
                    self.notes.append(f"{vat.label} shortened")
                result[vat.label] = f"{tax:.2f}"
                grand += net + tax
            result["total"] = f"{grand.quantize(cent):,.2f}"
        return result


class VatInvoice(GraphBusNode):
    @subscribe("/Billing/Invoice")
    def on_invoice(self, number: str, items: list[list[str]]) -> dict[str, object]:
        invoice = Invoice(number)
        for category, net in items:
            try:
                invoice.add(category, net)
            except InvalidOperation:
                invoice.notes.append(f"{net!r} left out")
        return {"number": number, **invoice.totals(), "notes": invoice.notes}
