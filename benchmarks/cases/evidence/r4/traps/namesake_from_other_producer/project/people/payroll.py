from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PayrollResult(TypedDict):
    wage: float


class Payroll(GraphBusNode):
    @depends_on("Sampler.sample")
    @schema_method
    def pay(self, worker: str, hours: float, hourly: float) -> PayrollResult:
        return {"wage": hours * hourly}
