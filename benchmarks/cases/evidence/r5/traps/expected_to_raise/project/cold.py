from graphbus_core import GraphBusNode, depends_on, schema_method


class Thermo(GraphBusNode):
    @schema_method(input_schema={"place": str}, output_schema={"fahrenheit": float})
    def read(self, place):
        return {"fahrenheit": {"room": 68.0, "box": 14.0}[place]}


class Freezer(GraphBusNode):
    @depends_on("Thermo.read")
    @schema_method(input_schema={"celsius": float}, output_schema={"power": int})
    def set(self, celsius):
        if celsius > 45:
            raise ValueError("this cannot be degrees Celsius")
        return {"power": max(0, round(celsius + 18))}
