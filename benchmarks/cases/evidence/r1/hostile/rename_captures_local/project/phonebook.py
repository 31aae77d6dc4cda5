from graphbus_core import GraphBusNode, depends_on, schema_method


class Dialer(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"number": str})
    def call(self):
        return {"number": "040-1"}


class Book(GraphBusNode):
    ROWS = ["ann", "bo"]

    @depends_on("Dialer.call")
    @schema_method(input_schema={"phone": str}, output_schema={"rows": list[str]})
    def note(self, phone):
        rows = []
        for number, name in enumerate(self.ROWS, 1):
            rows.append(f"{number} {name} {phone}")
        return {"rows": rows}
