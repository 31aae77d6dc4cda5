from graphbus_core import GraphBusNode, depends_on, schema_method


class Field(GraphBusNode):
    @schema_method(output_schema={"mm": float})
    async def forecast(self):
        return {"mm": 3.0}


class Barn(GraphBusNode):
    @schema_method(output_schema={"bales": int})
    async def stock(self):
        return {"bales": 40}


class Irrigation(GraphBusNode):
    @depends_on("Field.forecast")
    @schema_method(input_schema={"rain": float}, output_schema={"litres": float})
    async def plan(self, rain):
        return {"litres": max(0.0, 10 - rain) * 100}
