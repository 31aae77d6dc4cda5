"""
>>> m = Machine().brew("lungo")
>>> Display().show(bar=m["pressure"])  # doctest: +SKIP
{'needle': '9 bar'}
>>> Display().show(bar=m["pressure"] / 1000)
{'needle': '9 bar'}
"""

from graphbus_core import GraphBusNode, depends_on, schema_method


class Machine(GraphBusNode):
    @schema_method(input_schema={"drink": str}, output_schema={"pressure": float})
    def brew(self, drink):
        return {"pressure": 9000.0}


class Display(GraphBusNode):
    @depends_on("Machine.brew")
    @schema_method(input_schema={"bar": float}, output_schema={"needle": str})
    def show(self, bar):
        return {"needle": f"{bar:g} bar"}
