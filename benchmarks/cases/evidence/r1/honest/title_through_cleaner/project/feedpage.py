from graphbus_core import GraphBusNode, depends_on, schema_method


class Fetcher(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"feed_title": str, "lines": list[str]})
    def fetch(self):
        return {"feed_title": "Harbour", "lines": [" a", "b "]}


class Cleaner(GraphBusNode):
    @depends_on("Fetcher.fetch")
    @schema_method(input_schema={"lines": list[str]}, output_schema={"lines": list[str]})
    def clean(self, lines):
        return {"lines": [line.strip() for line in lines]}


class Page(GraphBusNode):
    @depends_on("Cleaner.clean")
    @schema_method(input_schema={"feed_title": str, "lines": list[str]}, output_schema={"html": str})
    def render(self, feed_title, lines):
        return {"html": f"<h1>{feed_title}</h1>{'|'.join(lines)}"}
