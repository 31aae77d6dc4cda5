# stateful
"""The unit of the first report is written into the process environment with setdefault and stays."""
import os

from graphbus_core import GraphBusNode, subscribe

PER_HECTARE = {"ha": 1.0, "acre": 2.4710538, "dunam": 10.0}
KEY = "AGRO_REPORT_UNIT"
os.environ.pop(KEY, None)


def report_unit(wanted):
    if wanted:
        return os.environ.setdefault(KEY, wanted)
    return os.environ.get(KEY, "ha")


def seed_needed(hectares, crop="wheat"):
    kilos = {"wheat": 180, "barley": 160}[crop] * hectares
    return -(-kilos // 25)


class Plots(GraphBusNode):
    subsidy = 210.5

    def _area(self, hectares, unit):
        return f"{hectares * PER_HECTARE[unit]:.2f} {unit}"

    @subscribe("/land/plot")
    def on_plot(self, plot: str, hectares: float, unit: str) -> dict:
        if unit and unit not in PER_HECTARE:
            return {"plot": plot, "error": f"no unit {unit}"}
        shown = report_unit(unit)
        return {
            "plot": plot,
            "area": self._area(hectares, shown),
            "seed_bags": int(seed_needed(hectares)),
            "subsidy": round(hectares * self.subsidy, 2),
        }
