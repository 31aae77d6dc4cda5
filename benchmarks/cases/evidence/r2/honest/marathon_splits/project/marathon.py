from graphbus_core import GraphBusNode, depends_on, schema_method


class Chip(GraphBusNode):
    @schema_method(input_schema={"runner": int}, output_schema={"splits": tuple[int, ...]})
    def read(self, runner):
        return {"splits": (1500, 1510, 1600)}


class Diploma(GraphBusNode):
    @depends_on("Chip.read")
    @schema_method(input_schema={"splits": list[int]}, output_schema={"text": str})
    def draw(self, splits):
        return {"text": " / ".join(f"{s // 60}:{s % 60:02}" for s in splits)}
