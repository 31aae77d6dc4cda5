from graphbus_core import GraphBusNode, schema_method


class Options(GraphBusNode):
    rtols = {"coarse": 0.1, "fine": 0.001}

    @schema_method(input_schema={"grid": str}, output_schema={"rtol": float, "atol": float})
    async def load(self, grid):
        return {"rtol": self.rtols[grid], "atol": 0.5}
