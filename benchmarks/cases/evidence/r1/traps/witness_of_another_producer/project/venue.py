from graphbus_core import GraphBusNode, schema_method


class Venue(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"name": str, "seats": int})
    def book(self):
        return {"name": "Town Hall", "seats": 120}
