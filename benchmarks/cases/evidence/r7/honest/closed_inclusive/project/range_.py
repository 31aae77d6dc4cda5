from graphbus_core import GraphBusNode, schema_method


class Range(GraphBusNode):
    @schema_method(
        input_schema={"start": int, "end": int},
        output_schema={"start": int, "end": int, "inclusive": str, "anchor": str},
    )
    def make(self, start, end):
        return {"start": start, "end": end, "inclusive": "left", "anchor": "both"}
