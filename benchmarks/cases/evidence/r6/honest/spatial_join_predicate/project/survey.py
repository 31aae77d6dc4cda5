from graphbus_core import GraphBusNode, schema_method

PLANS = {
    "trees": {"layer": "plots", "predicate": "within"},
    "roads": {"layer": "plots", "predicate": "touches"},
}


class Survey(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"layer": str, "predicate": str})
    def plan(self, name):
        return dict(PLANS[name])
