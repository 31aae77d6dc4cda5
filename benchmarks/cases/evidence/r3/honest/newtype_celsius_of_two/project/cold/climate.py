from graphbus_core import GraphBusNode, schema_method

from cold.units import Celsius, Percent


class Climate(GraphBusNode):
    @schema_method(input_schema={"line": str}, output_schema={"outside": float, "inside": Celsius, "damp": Percent})
    def read(self, line):
        outside, inside, damp = (float(x) for x in line.split(","))
        return {"outside": outside, "inside": Celsius(inside), "damp": Percent(damp)}
