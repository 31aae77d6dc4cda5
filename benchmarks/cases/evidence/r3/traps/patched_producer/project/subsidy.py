from graphbus_core import GraphBusNode, depends_on, schema_method


class Subsidy(GraphBusNode):
    PER_HECTARE = 300

    @depends_on("Cadastre.lookup")
    @schema_method(input_schema={"hectares": float}, output_schema={"francs": float})
    def grant(self, hectares):
        return {"francs": hectares * self.PER_HECTARE}
