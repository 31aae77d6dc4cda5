from graphbus_core import GraphBusNode, depends_on, schema_method


class Shelf(GraphBusNode):
    stock = 2000

    @depends_on("Tape.measure")
    @schema_method(input_schema={"board": int}, output_schema={"rest": int})
    def cut(self, board):
        return {"rest": self.stock - board}
