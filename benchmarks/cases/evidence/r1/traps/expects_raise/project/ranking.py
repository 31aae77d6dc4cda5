from graphbus_core import GraphBusNode, depends_on, schema_method


class Search(GraphBusNode):
    @schema_method(input_schema={"q": str}, output_schema={"score": int})
    def best(self, q):
        return {"score": 12 if q == "tea" else 2}


class Ranking(GraphBusNode):
    @depends_on("Search.best")
    @schema_method(input_schema={"rank": int}, output_schema={"medal": str})
    def place(self, rank):
        if rank > 3:
            raise ValueError("no medal")
        return {"medal": ("gold", "silver", "bronze")[rank - 1]}
