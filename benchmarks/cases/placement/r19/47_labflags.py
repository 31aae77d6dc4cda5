# stateful
"""Each report object is new, but the default list of flags in the constructor of its base class is one and the same list."""
from graphbus_core import GraphBusNode, subscribe


class Finding:
    def __init__(self, sample: str, flags: list[str] = []) -> None:
        self.sample = sample
        self.flags = flags

    def flag(self, code: str) -> None:
        self.flags.append(code)

    def summary(self) -> str:
        if not self.flags:
            return f"{self.sample}: unremarkable"
        return f"{self.sample}: see {', '.join(dict.fromkeys(self.flags))}"


class BloodFinding(Finding):
    ranges = {"hb": (12.0, 16.5), "crp": (0.0, 5.0), "na": (135.0, 145.0)}

    def examine(self, values: dict[str, float]) -> None:
        for analyte, value in values.items():
            low, high = self.ranges.get(analyte, (float("-inf"), float("inf")))
            if value < low:
                self.flag(f"{analyte}-low")
            elif value > high:
                self.flag(f"{analyte}-high")


class ControlFinding(BloodFinding):
    """Quality samples carry their own known deviations."""

    def __init__(self, sample: str) -> None:
        super().__init__(sample, flags=["control"])


class Laboratory(GraphBusNode):
    @subscribe("/Clinic/Lab")
    def on_values(self, sample: str, values: dict[str, float]) -> dict[str, str]:
        finding = ControlFinding(sample) if sample.startswith("QC") else BloodFinding(sample)
        finding.examine(values)
        return {"report": finding.summary()}
