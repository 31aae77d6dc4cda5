from graphbus_core import GraphBusNode, depends_on, schema_method

TEXT = ["import os", "prnt(1)", "x = 2"]


class Parser(GraphBusNode):
    @schema_method(input_schema={"word": str}, output_schema={"line_index": int})
    def fail(self, word):
        return {"line_index": next(i for i, l in enumerate(TEXT) if word in l)}


class Editor(GraphBusNode):
    @depends_on("Parser.fail")
    @schema_method(input_schema={"line": int}, output_schema={"shows": str})
    def jump(self, line):
        return {"shows": TEXT[line - 1]}
