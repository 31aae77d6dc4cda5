from graphbus_core import GraphBusNode, depends_on, schema_method

from cold.units import Celsius


class Freezer(GraphBusNode):
    target = -18.0

    @depends_on("Climate.read")
    @schema_method(input_schema={"temperature": Celsius}, output_schema={"cool": bool})
    def regulate(self, temperature):
        return {"cool": temperature > self.target}
