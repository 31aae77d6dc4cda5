# stateful
"""The rule object of a drug is kept in a table and is reduced in place for weak kidneys, so later patients get the smaller factor."""
from graphbus_core import GraphBusNode, subscribe


class DoseRule:
    unit = "mg"

    def __init__(self, factor: float, ceiling: float) -> None:
        self.factor = factor
        self.ceiling = ceiling

    def amount(self, weight: float) -> float:
        raise NotImplementedError

    def adjusted(self, renal: bool) -> "DoseRule":
        if renal:
            self.factor *= 0.75
        return self

    def dose(self, weight: float) -> float:
        return round(min(self.amount(weight), self.ceiling), 1)


class PerKilo(DoseRule):
    def amount(self, weight: float) -> float:
        return self.factor * weight


class PerSurface(DoseRule):
    """Uses the Mosteller-like short cut that the pharmacy accepts."""

    def amount(self, weight: float) -> float:
        return self.factor * (0.1 * weight ** (2 / 3))


class Formulary:
    def __init__(self) -> None:
        self._rules: dict[str, DoseRule] = {
            "amoxicillin": PerKilo(25.0, 3000.0),
            "paracetamol": PerKilo(15.0, 1000.0),
            "methotrexate": PerSurface(12.0, 25.0),
        }

    def rule_for(self, drug: str) -> DoseRule:
        return self._rules[drug.lower()]


class DoseCalculator(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._formulary = Formulary()

    @subscribe("/Clinic/Prescriptions")
    def on_prescription(self, drug: str, weight: float, renal: bool) -> dict[str, object]:
        rule = self._formulary.rule_for(drug).adjusted(renal)
        return {"drug": drug, "dose": rule.dose(weight), "unit": rule.unit}
