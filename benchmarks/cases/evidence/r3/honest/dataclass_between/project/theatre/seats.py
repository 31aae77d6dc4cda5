from graphbus_core import GraphBusNode, schema_method


class Seats(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"place": str})
    def assign(self, n):
        row, chair = divmod(n, 20)
        return {"place": f"{'ABCDEFG'[row]}{chair + 1}"}
