# stateful
"""Registers csv dialects by partner name in the csv module's own table, where feeds of later events find them."""
import csv

from graphbus_core import GraphBusNode, subscribe

_NAMES = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}


def _dialect(partner: str) -> str:
    """The partner's dialect if the onboarding has sent one, the standard otherwise."""
    return partner if partner in csv.list_dialects() else "excel"


class PartnerFeed(GraphBusNode):
    @subscribe("/Partner/Onboarding")
    def on_onboarding(self, partner: str, separator: str, quote: str) -> dict:
        delimiter = _NAMES.get(separator)
        if delimiter is None or len(quote) != 1:
            return {"partner": partner, "accepted": False}
        csv.register_dialect(partner, delimiter=delimiter, quotechar=quote, skipinitialspace=True)
        return {"partner": partner, "accepted": True}

    @subscribe("/Partner/Feed")
    def on_feed(self, partner: str, lines: list[str]) -> dict:
        rows = list(csv.reader(lines, _dialect(partner)))
        widths = sorted({len(row) for row in rows})
        first = rows[0] if rows else []
        return {"partner": partner, "rows": len(rows), "widths": widths, "first": first}
