from graphbus_core import GraphBusNode, depends_on, schema_method


class Fetcher(GraphBusNode):
    """Builds the command that an operator pastes."""

    @depends_on("Profile.get")
    @schema_method(
        input_schema={"host": str, "verify_ssl": bool},
        output_schema={"command": str},
    )
    def head(self, host, verify_ssl):
        flag = "" if verify_ssl else " --insecure"
        return {"command": f"curl -I{flag} https://{host}"}
