from graphbus_core import GraphBusNode, depends_on, schema_method


class Retry(GraphBusNode):
    @depends_on("Policy.read")
    @schema_method(input_schema={"method_whitelist": list[str], "attempts": int}, output_schema={"plan": dict[str, int]})
    def decide(self, method_whitelist, attempts):
        plan = dict.fromkeys(method_whitelist, attempts)
        plan.setdefault("POST", 0)
        return {"plan": plan}
