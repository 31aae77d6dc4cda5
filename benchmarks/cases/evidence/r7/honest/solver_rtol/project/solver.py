from graphbus_core import GraphBusNode, depends_on, schema_method


class Solver(GraphBusNode):
    @depends_on("Options.load")
    @schema_method(input_schema={"tol": float}, output_schema={"steps": int})
    async def solve(self, tol):
        error, steps = 1.0, 0
        while error > tol:
            error, steps = error / 2, steps + 1
        return {"steps": steps}
