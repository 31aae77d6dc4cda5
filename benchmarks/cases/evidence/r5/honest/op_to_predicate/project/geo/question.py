from graphbus_core import GraphBusNode, schema_method


class Question(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"predicate": str, "how": str})
    def ask(self, text):
        return {"predicate": "within" if " in " in text else "contains", "how": "inner"}
