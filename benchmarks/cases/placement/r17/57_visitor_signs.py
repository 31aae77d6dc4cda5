# stateful
"""Keeps a language: gettext's install() puts the translation into builtins, where the next sign finds it."""
from __future__ import annotations

import gettext
from string import capwords

from graphbus_core import GraphBusNode, subscribe

CATALOGUES = {
    "de": {"Welcome": "Willkommen", "Ward": "Station", "Closed": "Geschlossen", "Visiting hours": "Besuchszeit"},
    "sv": {"Welcome": "Välkommen", "Ward": "Avdelning", "Closed": "Stängt", "Visiting hours": "Besökstid"},
    "it": {"Welcome": "Benvenuti", "Ward": "Reparto", "Closed": "Chiuso", "Visiting hours": "Orario di visita"},
}


class WardTranslations(gettext.NullTranslations):
    def __init__(self, language: str) -> None:
        super().__init__()
        self._texts = CATALOGUES[language]

    def gettext(self, message: str) -> str:
        return self._texts.get(message, message)


gettext.NullTranslations().install()


def sign(ward: str, hours: str) -> list[str]:
    name = capwords(ward)
    if not hours.strip():
        return [f"{_('Ward')} {name}", _("Closed")]
    return [_("Welcome"), f"{_('Ward')} {name}", f"{_('Visiting hours')}: {hours.strip()}"]


class VisitorSigns(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._width = 28

    @subscribe("/Signs")
    def on_sign(self, ward: str, hours: str, language: str = "") -> dict[str, list[str]]:
        if language in CATALOGUES:
            WardTranslations(language).install()
        return {"sign": [line.center(self._width).rstrip() for line in sign(ward, hours)]}
