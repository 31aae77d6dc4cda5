from graphbus_core import GraphBusNode, depends_on, schema_method


class Badge(GraphBusNode):
    @depends_on("Profile.load")
    @schema_method(input_schema={"name": str, "nickname": str}, output_schema={"text": str})
    def render(self, name, nickname):
        if nickname is None:
            return {"text": name}
        return {"text": f"{name} “{nickname}”"}
