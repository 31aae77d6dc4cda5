from graphbus_core import GraphBusNode, depends_on, schema_method


class Lamp(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"on": bool, "color_temp": int})
    def state(self, name):
        return {"on": True, "color_temp": {"desk": 250, "hall": 370}[name]}


class Scene(GraphBusNode):
    @depends_on("Lamp.state")
    @schema_method(input_schema={"color_temp_kelvin": int}, output_schema={"mood": str})
    def describe(self, color_temp_kelvin):
        return {"mood": "cold" if color_temp_kelvin > 3500 else "warm"}
