from graphbus_core import GraphBusNode, schema_method


class Pharmacy(GraphBusNode):
    @schema_method(input_schema={"drug": str}, output_schema={"dose_mg": int, "stock_mg": int})
    def prepare(self, drug):
        return {"dose_mg": 400, "stock_mg": 8000}
