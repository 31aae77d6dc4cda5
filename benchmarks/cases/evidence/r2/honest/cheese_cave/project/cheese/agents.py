from graphbus_core import GraphBusNode, depends_on, schema_method


class Dairy(GraphBusNode):
    @schema_method(input_schema={"litres": int}, output_schema={"wheels": int, "whey": int})
    def curdle(self, litres):
        return {"wheels": litres // 100, "whey": litres * 9 // 10}


class Cave(GraphBusNode):
    @depends_on("Dairy.curdle")
    @schema_method(input_schema={"cheeses": int}, output_schema={"boards": int})
    def ripen(self, cheeses):
        return {"boards": -(-cheeses // 4)}
