from graphbus_core import GraphBusNode, depends_on, schema_method


class Client(GraphBusNode):
    @depends_on("Policy.retry")
    @schema_method(input_schema={"total": int, "method_whitelist": list[str]}, output_schema={"retries": dict[str, int]})
    def mount(self, total, method_whitelist):
        return {"retries": dict.fromkeys(sorted(method_whitelist), total)}
