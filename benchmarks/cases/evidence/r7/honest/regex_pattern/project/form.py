from graphbus_core import GraphBusNode, schema_method

FIELDS = {
    "zip": {"pattern": r"\d{4}", "hint": "four digits", "value": "8001"},
    "iban": {"pattern": r"CH\d{2}.*", "hint": "starts with CH", "value": "CH93 0076"},
}


class Form(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"pattern": str, "hint": str, "value": str})
    def field(self, name):
        return FIELDS[name]
