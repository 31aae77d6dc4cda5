from graphbus_core import GraphBusNode, depends_on, schema_method

DEFAULT_TENANT = "default"
LOGOS = {"default": "ACME", "globex": "Globex"}


class Query(GraphBusNode):
    @schema_method(input_schema={"sql": str}, output_schema={"rows": list[int]})
    def rows(self, sql):
        return {"rows": [1, 2, 3]}


class Report(GraphBusNode):
    @depends_on("Query.rows")
    @schema_method(input_schema={"rows": list[int], "tenant": str}, output_schema={"page": str})
    def render(self, rows, tenant):
        return {"page": f"{LOGOS[tenant]}: {sum(rows)}"}
