from graphbus_core import GraphBusNode, depends_on, schema_method


class DiskProbe(GraphBusNode):
    @schema_method(input_schema={"mount": str}, output_schema={"total": int, "free": int})
    def look(self, mount):
        return {"total": 100, "free": 90}


class Janitor(GraphBusNode):
    @depends_on("DiskProbe.look")
    @schema_method(input_schema={"used": int}, output_schema={"clean": bool})
    def decide(self, used):
        return {"clean": used > 80}
