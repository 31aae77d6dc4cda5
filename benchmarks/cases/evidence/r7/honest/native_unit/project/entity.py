from graphbus_core import GraphBusNode, schema_method


class Entity(GraphBusNode):
    def __init__(self, value=21.5, unit="°C"):
        super().__init__()
        self._value, self._unit = value, unit

    @schema_method(
        input_schema={},
        output_schema={"value": float, "native_unit": str, "display_unit": str},
    )
    def state(self):
        return {"value": self._value, "native_unit": self._unit, "display_unit": "°F"}
