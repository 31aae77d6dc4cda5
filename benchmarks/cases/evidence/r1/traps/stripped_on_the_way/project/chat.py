from graphbus_core import GraphBusNode, schema_method


class Chat(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"tag": str})
    def message(self):
        return {"tag": "#News"}
