from graphbus_core import GraphBusNode, depends_on, schema_method


class Solver(GraphBusNode):
    @depends_on("Budget.grant")
    @schema_method(input_schema={"n_iter": int}, output_schema={"root": float})
    async def solve(self, n_iter):
        x = 1.0
        for _ in range(n_iter):
            x = (x + 2 / x) / 2
        return {"root": round(x, 6)}
