from graphbus_core import GraphBusNode, schema_method


class Address(GraphBusNode):
    @schema_method(input_schema={"line": str}, output_schema={"zip": str, "town": str})
    def parse(self, line):
        code, town = line.split(" ", 1)
        return {"zip": code, "town": town}
