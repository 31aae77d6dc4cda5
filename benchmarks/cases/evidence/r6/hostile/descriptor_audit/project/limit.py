from graphbus_core import GraphBusNode, depends_on, schema_method


class Limit(GraphBusNode):
    @depends_on("Vault.withdraw")
    @schema_method(input_schema={"remaining": int}, output_schema={"level": str})
    def review(self, remaining):
        if remaining < 200:
            return {"level": "red"}
        return {"level": "amber" if remaining < 800 else "green"}
