from graphbus_core import GraphBusNode, depends_on, schema_method


class Mailer(GraphBusNode):
    @depends_on("Directory.lookup")
    @schema_method(output_schema={"sent": bool})
    def deliver(self, address: str):
        if "@" not in address:
            raise ValueError(f"no address: {address}")
        return {"sent": True}
