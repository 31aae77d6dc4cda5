from graphbus_core import GraphBusNode, depends_on, schema_method


class AudioGuide(GraphBusNode):
    @depends_on("Desk.sell")
    @schema_method(input_schema={"language": str}, output_schema={"track": str})
    def load(self, language):
        return {"track": f"01_{language}.ogg"}
