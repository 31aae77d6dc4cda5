from graphbus_core import GraphBusNode, depends_on, schema_method


class Grader(GraphBusNode):
    @depends_on("Scale.read")
    @schema_method(input_schema={"grams": int}, output_schema={"egg": str})
    def grade(self, grams):
        return {"egg": "XL" if grams >= 73 else "L" if grams >= 63 else "M" if grams >= 53 else "S"}
