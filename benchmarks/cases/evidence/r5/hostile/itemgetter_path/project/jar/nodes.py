from graphbus_core import GraphBusNode, schema_method, subscribe


class Scale(GraphBusNode):
    @schema_method(input_schema={"spoon": int}, output_schema={"grams": int})
    def weigh(self, spoon):
        weighed = {"grams": spoon * 15}
        self.publish("/scale/weighed", weighed)
        return weighed


class Jar(GraphBusNode):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.state = {"last": {}, "sum": 0}

    @subscribe("/scale/weighed")
    @schema_method(input_schema={"mass_g": int}, output_schema={"sum": int})
    def on_weight(self, event):
        self.state["last"] = {k: event[k] for k in ("mass_g",)}
        self.state["sum"] += event["mass_g"]
        return {"sum": self.state["sum"]}
