from graphbus_core import GraphBusNode, depends_on, schema_method


class Wiki(GraphBusNode):
    @schema_method(input_schema={"title": str}, output_schema={"title": str, "created": str, "changed": str})
    def page(self, title):
        return {"title": title, "created": "2019-05-01", "changed": "2023-11-20"}


class Feed(GraphBusNode):
    @depends_on("Wiki.page")
    @schema_method(input_schema={"title": str, "date": str}, output_schema={"xml": str})
    def entry(self, title, date):
        return {"xml": f"<entry date='{date}'>{title}</entry>"}
