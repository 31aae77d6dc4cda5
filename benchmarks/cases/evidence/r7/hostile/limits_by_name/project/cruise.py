from graphbus_core import GraphBusNode, depends_on, schema_method
from limits import limited


class Cruise(GraphBusNode):
    @depends_on("Throttle.read")
    @schema_method(input_schema={"speed": int}, output_schema={"rpm": int})
    @limited
    def hold(self, speed):
        return {"rpm": 30 * speed}
