from graphbus_core import GraphBusNode, depends_on, schema_method
from handles import Handle


class Mention(GraphBusNode):
    @depends_on("Api.user")
    @schema_method
    def write(self, screen_name: Handle) -> dict[str, str]:
        return {"text": f"thanks @{screen_name}"}
