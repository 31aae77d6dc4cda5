from graphbus_core import GraphBusNode, schema_method


class Ledger(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"headroom": int, "reserved": int})
    def balance(self):
        return {"headroom": 750, "reserved": 120}
