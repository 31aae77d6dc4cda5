from graphbus_core import GraphBusNode, depends_on, schema_method


class Register(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"length": int, "width": int})
    def row(self):
        return {"length": 2000, "width": 300}


class Cutter(GraphBusNode):
    """w: the way along which the blade travels."""

    @depends_on("Register.row")
    @schema_method(input_schema={"w": int, "len_": int}, output_schema={"blade_mm": int})
    def cut(self, w, len_):
        return {"blade_mm": w + 10}
