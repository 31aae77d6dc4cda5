from __future__ import annotations

import csv

from graphbus_core import GraphBusNode, subscribe


class ImportSettings(GraphBusNode):
    NAMES = {"comma": ",", "semicolon": ";", "tab": "\t"}

    @subscribe("/Settings/Separator")
    def on_separator(self, name: str) -> dict[str, str]:
        sep = self.NAMES.get(name, name[:1] or ";")
        csv.register_dialect("cues", delimiter=sep, skipinitialspace=True)
        return {"separator": sep}
