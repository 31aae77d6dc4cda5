from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class AlarmResult(TypedDict):
    text: str


class Alarm(GraphBusNode):
    prefix = ""

    @depends_on("Thermo.read")
    @schema_method
    def check(self, temperature_k: float) -> AlarmResult:
        return {"text": self.prefix + ("HOT" if temperature_k > 350 else "ok")}


class LoudAlarm(Alarm):
    prefix = "!! "
