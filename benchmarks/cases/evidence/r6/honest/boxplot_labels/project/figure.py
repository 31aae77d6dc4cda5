from graphbus_core import GraphBusNode, schema_method

FIGURES = {
    "wait": {
        "values": [[2, 3, 6], [1, 4, 9]],
        "tick_labels": ["mon", "tue"],
        "colours": ["red", "blue"],
    },
    "size": {
        "values": [[10, 20]],
        "tick_labels": ["all"],
        "colours": ["grey"],
    },
}


class Figure(GraphBusNode):
    @schema_method(
        input_schema={"name": str},
        output_schema={"values": list, "tick_labels": list, "colours": list},
    )
    def describe(self, name):
        return FIGURES[name]
