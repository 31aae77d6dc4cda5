from graphbus_core import GraphBusNode, depends_on, schema_method


class Serializer(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"version": int, "pk": int})
    def dump(self, name):
        return {"version": 1, "pk": len(name)}


class Router(GraphBusNode):
    @depends_on("Serializer.dump")
    @schema_method(input_schema={"id": int}, output_schema={"url": str})
    def url(self, id):
        return {"url": f"/api/items/{id}/"}
