from graphbus_core import GraphBusNode, depends_on, schema_method
from ids import AdminId


class Audit(GraphBusNode):
    @depends_on("Session.open")
    @schema_method
    def purge(self, actor: AdminId) -> dict[str, str]:
        return {"done": f"purged by {actor}"}
