from graphbus_core import GraphBusNode, depends_on, schema_method

GRANTS = {"owner": "rw", "guest": "r"}


class Vault(GraphBusNode):
    @depends_on("Team.member")
    @schema_method(input_schema={"grant": str}, output_schema={"may_write": bool, "may_read": bool})
    def allow(self, grant):
        return {"may_write": "w" in grant, "may_read": "r" in grant}
