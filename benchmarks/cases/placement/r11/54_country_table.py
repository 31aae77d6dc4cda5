# pure
"""Loads its country table lazily on the first event, but from a constant text, so it is the same for every event."""
import csv
import io
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

_TEXT = """\
code,name,vat,eu,prefix
DE,Germany,19,yes,49
FR,France,20,yes,33
CH,Switzerland,8.1,no,41
AT,Austria,20,yes,43
NO,Norway,25,no,47
PL,Poland,23,yes,48
"""


class Country(NamedTuple):
    code: str
    name: str
    vat: float
    eu: bool
    prefix: str


class CountryTable(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._table: dict[str, Country] | None = None

    @property
    def table(self) -> dict[str, Country]:
        if self._table is None:
            rows = csv.DictReader(io.StringIO(_TEXT))
            self._table = {
                r["code"]: Country(r["code"], r["name"], float(r["vat"]), r["eu"] == "yes", r["prefix"]) for r in rows
            }
        return self._table

    def _by_phone(self, phone: str) -> Country | None:
        digits = phone.strip().removeprefix("+").removeprefix("00")
        return next((c for c in self.table.values() if digits.startswith(c.prefix)), None)

    @subscribe("/Checkout/Vat")
    def on_vat(self, country: str, net: float, business: bool) -> dict:
        entry = self.table.get(country.upper())
        if entry is None:
            return {"error": f"no country {country}"}
        rate = entry.vat if entry.eu and not (business and entry.code != "DE") else 0.0
        return {"country": entry.name, "rate": rate, "gross": round(net * (1 + rate / 100), 2)}

    @subscribe("/Checkout/Phone")
    def on_phone(self, phone: str) -> dict:
        entry = self._by_phone(phone)
        return {"country": entry.code if entry else None, "eu": bool(entry and entry.eu)}
