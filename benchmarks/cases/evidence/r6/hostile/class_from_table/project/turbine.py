from graphbus_core import GraphBusNode, depends_on, schema_method


class Turbine(GraphBusNode):
    cut_in, rated, cut_out = 3.0, 12.0, 25.0
    nominal_kw = 1700.0

    @depends_on("Wind.measure")
    @schema_method(input_schema={"wind": float}, output_schema={"kw": float})
    def output(self, wind):
        if not self.cut_in <= wind <= self.cut_out:
            return {"kw": 0.0}
        if wind >= self.rated:
            return {"kw": self.nominal_kw}
        return {"kw": round(wind**3, 1)}
