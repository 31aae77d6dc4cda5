from graphbus_core import GraphBusNode, schema_method


class Registry(GraphBusNode):
    known = {"wide": "ridge", "tall": "cart"}

    @schema_method(input_schema={"shape": str}, output_schema={"estimator": str, "fallback": str})
    def pick(self, shape):
        return {"estimator": self.known[shape], "fallback": "dummy"}
