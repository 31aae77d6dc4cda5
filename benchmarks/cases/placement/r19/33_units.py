# pure
"""The registry of analytes fills while the classes are defined and is only read afterwards."""
from graphbus_core import GraphBusNode, subscribe


class Analyte:
    registry: dict[str, type["Analyte"]] = {}
    code = ""
    factor = 1.0
    unit = "mmol/l"
    digits = 2

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        Analyte.registry[cls.code] = cls

    def __init__(self, value: float) -> None:
        self.value = value
        self.history: list[str] = []

    def convert(self) -> float:
        self.history.append(f"{self.value:g} mg/dl")
        self.value = round(self.value * self.factor, self.digits)
        self.history.append(f"{self.value:g} {self.unit}")
        return self.value


class Glucose(Analyte):
    code = "GLU"
    factor = 0.0555


class Cholesterol(Analyte):
    code = "CHOL"
    factor = 0.0259


class Creatinine(Analyte):
    code = "CREA"
    factor = 88.4
    unit = "umol/l"
    digits = 0


class LegacyGlucose(Glucose):
    """The old analyser reads four percent low."""

    code = "GLU-OLD"

    def convert(self) -> float:
        self.value *= 1.04
        return super().convert()


class UnitDesk(GraphBusNode):
    @subscribe("/Clinic/RawValues")
    def on_value(self, code: str, value: float) -> dict[str, object]:
        kind = Analyte.registry.get(code.upper())
        if kind is None:
            return {"code": code, "error": "unknown analyte"}
        analyte = kind(value)
        analyte.convert()
        return {"code": kind.code, "value": analyte.value, "trail": " -> ".join(analyte.history)}

    @subscribe("/Clinic/RawSeries")
    def on_series(self, code: str, values: list[float]) -> dict[str, object]:
        kind = Analyte.registry.get(code.upper(), Analyte)
        converted = [kind(value).convert() for value in values]
        change = converted[-1] - converted[0] if converted else 0.0
        return {"code": kind.code, "values": converted, "change": round(change, 2)}
