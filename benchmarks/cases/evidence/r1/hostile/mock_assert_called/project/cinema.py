from graphbus_core import GraphBusNode, depends_on, schema_method


class Cinema(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"places": list[str]})
    def sell(self):
        return {"places": ["A1", "A2"]}


class Usher(GraphBusNode):
    @depends_on("Cinema.sell")
    @schema_method(input_schema={"seats": list[str]}, output_schema={"row": str})
    def seat(self, seats):
        return {"row": seats[0][0]}


def evening(usher):
    return usher.seat(seats=Cinema().sell()["places"])
