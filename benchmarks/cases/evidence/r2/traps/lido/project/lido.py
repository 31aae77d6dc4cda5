from graphbus_core import GraphBusNode, depends_on, schema_method


class PoolProbe(GraphBusNode):
    @schema_method(output_schema={"temp": float})
    async def dip(self):
        return {"temp": 19.0}


class AirProbe(GraphBusNode):
    @schema_method(output_schema={"air": float})
    async def hang(self):
        return {"air": 12.0}


class Lifeguard(GraphBusNode):
    """water: what bathers will call cold, so the colder of the two."""

    @depends_on("PoolProbe.dip", "AirProbe.hang")
    @schema_method(input_schema={"water": float, "air": float}, output_schema={"flag": str})
    def advise(self, water, air):
        return {"flag": "red" if water < 15 else "green"}
