from graphbus_core import GraphBusNode, depends_on, schema_method


class Till(GraphBusNode):
    @schema_method(input_schema={"days": int}, output_schema={"turnover": int})
    def close(self, days):
        return {"turnover": days * 1000}


class Tax(GraphBusNode):
    rate = 20

    @depends_on("Till.close")
    @schema_method(input_schema={"sales": int}, output_schema={"tax": int})
    def compute(self, sales):
        return {"tax": sales * self.rate // 100}
