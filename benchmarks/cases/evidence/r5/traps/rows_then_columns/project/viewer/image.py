from graphbus_core import GraphBusNode, schema_method


class Image(GraphBusNode):
    @schema_method(input_schema={"pixels": list}, output_schema={"shape": tuple[int, int]})
    def load(self, pixels):
        return {"shape": (len(pixels), len(pixels[0]))}
