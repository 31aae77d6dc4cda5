"""Completions.

>>> preset = Preset().get("short")
>>> Completer().complete(engine=preset["model"], max_tokens=preset["max_tokens"])
{'call': 'babbage/16'}
"""

from graphbus_core import GraphBusNode, depends_on, schema_method


class Preset(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"owner": str, "model": str, "max_tokens": int})
    def get(self, name):
        return {"owner": "lab", "model": "babbage", "max_tokens": 16}


class Completer(GraphBusNode):
    @depends_on("Preset.get")
    @schema_method(input_schema={"engine": str, "max_tokens": int}, output_schema={"call": str})
    def complete(self, engine, max_tokens):
        return {"call": f"{engine}/{max_tokens}"}
