from graphbus_core import GraphBusNode, depends_on, schema_method


class Layout(GraphBusNode):
    @schema_method(input_schema={"theme": str}, output_schema={"folder": str})
    def choose(self, theme):
        return {"folder": f"public/{theme}"}


class Site(GraphBusNode):
    @depends_on("Layout.choose")
    @schema_method(input_schema={"out_dir": str}, output_schema={"written": str})
    def build(self, out_dir):
        return {"written": out_dir.rstrip("/") + "/index.html"}
