from graphbus_core import GraphBusNode, depends_on, schema_method


class Clerk(GraphBusNode):
    @depends_on("Inbox.triage")
    @schema_method(input_schema={"dossier": str}, output_schema={"shelf": str})
    def open_file(self, dossier):
        return {"shelf": dossier[-1]}
