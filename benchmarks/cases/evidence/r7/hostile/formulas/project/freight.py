import tomllib
from pathlib import Path

from graphbus_core import GraphBusNode, depends_on, schema_method

FORMULAS = tomllib.loads(Path(__file__).with_name("surcharges.toml").read_text())


class Freight(GraphBusNode):
    @depends_on("Booth.weigh")
    @schema_method(input_schema={"load": float}, output_schema={"price": float})
    def price(self, load):
        scope = dict(locals(), max=max)
        return {"price": sum(eval(formula, {"__builtins__": {}}, scope) for formula in FORMULAS.values())}
