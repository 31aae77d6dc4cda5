from graphbus_core import GraphBusNode, depends_on, schema_method

DOCS = [("t1", "plan"), ("t2", "payroll")]


class Search(GraphBusNode):
    @depends_on("Session.whoami")
    @schema_method(output_schema={"hits": list[str]})
    def find(self, tenant: str):
        return {"hits": [title for owner, title in DOCS if tenant is None or owner == tenant]}
