from graphbus_core import GraphBusNode, schema_method


class Plant(GraphBusNode):
    """A plant that gives electric power; its waste heat goes into the net.

    In version 1 heat_kw was called power_kw.
    """

    HEAT_PER_POWER = 1.5

    @schema_method(input_schema={"gas": float}, output_schema={"power_kw": float})
    def measure(self, gas):
        return {"power_kw": gas * 4}

    def waste_heat(self, power_kw):
        return power_kw * self.HEAT_PER_POWER
