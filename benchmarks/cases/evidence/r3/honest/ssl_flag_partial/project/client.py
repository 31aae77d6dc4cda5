from graphbus_core import GraphBusNode, depends_on, schema_method


class Client(GraphBusNode):
    @depends_on("Settings.load")
    @schema_method(output_schema={"asked": str})
    def get(self, verify_ssl: bool, url: str = "example.org"):
        scheme = "https" if verify_ssl else "http"
        return {"asked": f"{scheme}://{url}"}
