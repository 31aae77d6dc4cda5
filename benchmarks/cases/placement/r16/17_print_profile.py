# stateful
"""The overrides of one job are written into the first map of the chain, which is the shared profile."""
from collections import ChainMap

from graphbus_core import GraphBusNode, subscribe

COMMON = {"paper": "A4", "copies": 1, "duplex": True, "tray": "auto"}
PROFILES = {
    "invoice": {"copies": 2, "tray": "white"},
    "label": {"paper": "A6", "duplex": False, "tray": "sticky"},
    "report": {},
}


class PrintProfile(GraphBusNode):
    def _settings(self, kind: str, overrides: dict[str, str | int | bool]) -> ChainMap:
        settings = ChainMap(PROFILES.get(kind, {}), COMMON)
        settings.update({key: value for key, value in overrides.items() if key in COMMON})
        return settings

    @subscribe("/Print/Job")
    def on_job(self, kind: str, pages: int, overrides: dict[str, str | int | bool]) -> dict[str, object]:
        settings = self._settings(kind, overrides)
        sheets = -(-pages // 2) if settings["duplex"] else pages
        return {"sheets": sheets * int(settings["copies"]), "tray": settings["tray"], "paper": settings["paper"]}
