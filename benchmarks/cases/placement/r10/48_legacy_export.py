# stateful
"""Keeps the LC_CTYPE of the process as an earlier event set it, and encodes with its code set."""
import locale
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

PARTNERS = {"mainframe": "C", "portal": "C.UTF-8", "archive": ""}


@dataclass(frozen=True)
class Record:
    key: str
    name: str
    city: str

    def fields(self) -> tuple[str, str, str]:
        return self.key.upper(), self.name.strip(), self.city.strip().title()


def switch(partner: str) -> None:
    """Some partners want their own character set."""
    wanted = PARTNERS.get(partner)
    if not wanted:
        return
    try:
        locale.setlocale(locale.LC_CTYPE, wanted)
    except locale.Error:
        pass


def encode(record: Record) -> bytes:
    charset = locale.nl_langinfo(locale.CODESET)
    return "|".join(record.fields()).encode(charset, errors="replace")


class LegacyExport(GraphBusNode):
    @subscribe("/legacy/export")
    def on_record(self, partner: str, key: str, name: str, city: str) -> dict[str, object]:
        switch(partner)
        line = encode(Record(key, name, city))
        return {"partner": partner, "hex": line.hex(), "length": len(line)}
