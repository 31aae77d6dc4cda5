from graphbus_core import GraphBusNode, schema_method


class Registry(GraphBusNode):
    @schema_method(output_schema={"estimator": str})
    def pick(self, task: str):
        return {"estimator": {"class": "tree", "number": "ridge"}[task]}
