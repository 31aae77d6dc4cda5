from graphbus_core import GraphBusNode, depends_on, schema_method


class Oven(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"degrees": int})
    def heat(self):
        return {"degrees": 230}


class Baker(GraphBusNode):
    """Bakes.

    >>> Baker().bake(temperature=Oven().heat()["degrees"])
    {'bread': 'crusty'}
    """

    @depends_on("Oven.heat")
    @schema_method(input_schema={"temperature": int}, output_schema={"bread": str})
    def bake(self, temperature):
        return {"bread": "crusty" if temperature > 220 else "soft"}
