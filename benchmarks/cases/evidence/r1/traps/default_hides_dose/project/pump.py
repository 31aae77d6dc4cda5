from graphbus_core import GraphBusNode, depends_on, schema_method


class Pump(GraphBusNode):
    @depends_on("WardRound.order")
    @schema_method
    def infuse(self, patient: str, drug: str, dose_ml: float) -> dict[str, str]:
        return {"log": f"{patient}: {dose_ml} ml {drug}"}
