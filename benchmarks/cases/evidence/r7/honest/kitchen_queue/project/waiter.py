from graphbus_core import GraphBusNode, schema_method


class Waiter(GraphBusNode):
    @schema_method(
        input_schema={"table": int, "dish": str},
        output_schema={"table": int, "guests": int, "dish": str},
    )
    def take(self, table, dish):
        return {"table": table, "guests": 2, "dish": dish}
