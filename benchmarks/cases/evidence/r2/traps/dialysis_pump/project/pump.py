from typing import NotRequired, TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Settings(TypedDict):
    patient: str
    basal: NotRequired[float]


class Profile(GraphBusNode):
    @schema_method
    def load(self, patient: str) -> Settings:
        if patient == "new":
            return {"patient": patient}
        return {"patient": patient, "basal": 1.2}


class Pump(GraphBusNode):
    """Alarms unless a rate was prescribed."""

    @depends_on("Profile.load")
    @schema_method
    def start(self, patient: str, rate: float) -> dict[str, str]:
        return {"display": f"{patient}: {rate} ml/h"}
