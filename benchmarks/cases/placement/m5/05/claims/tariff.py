from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from .model import Policy


class TariffOffice(GraphBusNode):
    @subscribe("/Tariff/Change")
    def on_change(self, code: str, deductible: int) -> dict[str, object]:
        Policy.kinds[code].revise(deductible)
        return {"code": code, "changed": True}


class TariffCatalogue(GraphBusNode):
    """The list of products on the website."""

    @subscribe("/Tariff/List")
    def on_list(self, lang: str) -> list[str]:
        word = {"en": "insurance", "nl": "verzekering"}.get(lang, "policy")
        return [f"{code}: {kind.__name__.lower()} {word}" for code, kind in sorted(Policy.kinds.items()) if code]
