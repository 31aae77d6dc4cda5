from graphbus_core import GraphBusNode, depends_on, schema_method


class Phone(GraphBusNode):
    @schema_method(input_schema={"caller": str}, output_schema={"pie": str})
    async def take(self, caller):
        return {"pie": "margherita"}


class PizzaOven(GraphBusNode):
    @depends_on("Phone.take")
    @schema_method(input_schema={"pizza": str}, output_schema={"box": str})
    async def slide(self, pizza):
        return {"box": pizza.title()}
