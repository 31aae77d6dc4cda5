from graphbus_core import GraphBusNode, schema_method

FIELDS = {
    "zip": {"title": "Post code", "pattern": r"\d{5}"},
    "plate": {"title": "Licence plate", "pattern": r"[A-Z]{1,3}-[A-Z]{2} \d{1,4}"},
    "iban": {"title": "Account", "pattern": r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}"},
}


class FormSchema(GraphBusNode):
    """Fields of a form by name."""

    @schema_method(input_schema={"name": str}, output_schema={"title": str, "pattern": str})
    def field(self, name):
        found = FIELDS.get(name)
        if found is None:
            raise KeyError(f"no field {name}")
        return {**found}
