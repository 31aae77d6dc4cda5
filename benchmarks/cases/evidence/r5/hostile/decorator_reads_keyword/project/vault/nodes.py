from graphbus_core import GraphBusNode, depends_on, schema_method
from vault.audit import audited


class Desk(GraphBusNode):
    @schema_method(input_schema={"form": str}, output_schema={"applicant": str, "clerk": str})
    def approve(self, form):
        return {"applicant": form.title(), "clerk": "Bo"}


class Vault(GraphBusNode):
    @depends_on("Desk.approve")
    @schema_method(input_schema={"client": str}, output_schema={"box": str})
    @audited("client")
    def open(self, client):
        return {"box": "box of " + client}
