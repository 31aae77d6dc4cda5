from graphbus_core import GraphBusNode, schema_method


class Note(GraphBusNode):
    @schema_method(input_schema={"head": str}, output_schema={"tags": str})
    def read(self, head):
        return {"tags": head.partition("tags:")[2].strip()}
