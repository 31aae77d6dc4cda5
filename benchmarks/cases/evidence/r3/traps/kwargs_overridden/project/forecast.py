from graphbus_core import GraphBusNode, schema_method


class Forecast(GraphBusNode):
    @schema_method(output_schema={"demand": int, "celsius": int})
    def predict(self, weekday: int):
        return {"demand": 100 + 20 * (weekday // 5), "celsius": 230}
