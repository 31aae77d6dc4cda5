from graphbus_core import GraphBusNode, schema_method


class Directory(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"emails": list[str]})
    def find(self, name):
        return {"emails": [f"{name}@old.example", f"{name}@new.example"]}
