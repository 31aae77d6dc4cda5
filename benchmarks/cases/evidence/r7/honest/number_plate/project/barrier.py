from graphbus_core import GraphBusNode, depends_on, schema_method


class Barrier(GraphBusNode):
    tenants = {"BE 4711", "ZH 90"}

    @depends_on("Camera.see")
    @schema_method(input_schema={"vehicle": str}, output_schema={"open": bool})
    def admit(self, vehicle):
        return {"open": vehicle in self.tenants}
