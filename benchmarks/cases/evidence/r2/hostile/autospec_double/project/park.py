from graphbus_core import GraphBusNode, depends_on, schema_method


class Scout(GraphBusNode):
    @schema_method(input_schema={"hour": int}, output_schema={"deer": int})
    def spot(self, hour):
        return {"deer": 5}


class Ranger(GraphBusNode):
    @depends_on("Scout.spot")
    @schema_method(input_schema={"animals": int}, output_schema={"dense": bool})
    def count(self, animals):
        return {"dense": animals > 3}
