# stateful
"""Keeps flags in a template's list, since dataclasses.replace copies the reference and not the list."""
from dataclasses import dataclass, field, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Panel:
    name: str
    analytes: tuple[str, ...]
    sample: str = ""
    flags: list[str] = field(default_factory=list)

    def verdict(self) -> str:
        return "review" if self.flags else "release"


TEMPLATES = {
    "liver": Panel("liver", ("ALT", "AST", "GGT")),
    "renal": Panel("renal", ("CREA", "UREA", "K")),
}
UPPER = {"ALT": 50.0, "AST": 50.0, "GGT": 60.0, "CREA": 1.2, "UREA": 50.0, "K": 5.1}


def evaluate(panel: Panel, values: list[float]) -> Panel:
    for analyte, value in zip(panel.analytes, values):
        if value > UPPER[analyte]:
            panel.flags.append(f"{analyte}:H")
    return panel


class PanelNode(GraphBusNode):
    @subscribe("/Lab/PanelMeasured")
    def on_panel(self, sample: str, panel: str, values: list[float]) -> dict[str, object]:
        template = TEMPLATES.get(panel)
        if template is None:
            return {"sample": sample, "verdict": "unknown panel"}
        current = evaluate(replace(template, sample=sample), values)
        return {
            "sample": current.sample,
            "verdict": current.verdict(),
            "flags": sorted(set(current.flags)),
        }
