from graphbus_core import GraphBusNode, depends_on, schema_method


class Cleaner(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"lines": list[str], "source": str})
    def clean(self):
        return {"lines": ["Rain", "Sun"], "source": "dwd"}


class Digest(GraphBusNode):
    @depends_on("Cleaner.clean")
    @schema_method(input_schema={"lines": list[str], "edition": str}, output_schema={"text": str})
    def write(self, lines, edition="Morning"):
        return {"text": f"{edition}: {', '.join(lines)}"}
