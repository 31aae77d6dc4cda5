from graphbus_core import GraphBusNode, schema_method


class Directory(GraphBusNode):
    PEOPLE = {"Ada": "al42", "Alan": "at12"}

    @schema_method(output_schema={"uid": str})
    def lookup(self, name: str):
        return {"uid": self.PEOPLE[name]}
