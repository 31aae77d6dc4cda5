from graphbus_core import GraphBusNode, depends_on, schema_method

RULES = {"beer": "age >= 16", "rum": "age >= 18"}


class Ad(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"age_years": int, "goods": str})
    def view(self):
        return {"age_years": 17, "goods": "rum"}


class Rules(GraphBusNode):
    @depends_on("Ad.view")
    @schema_method(input_schema={"age": int, "goods": str}, output_schema={"ok": bool})
    def allow(self, age, goods):
        return {"ok": eval(RULES[goods])}
