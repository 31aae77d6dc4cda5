from graphbus_core import GraphBusNode, depends_on, schema_method


class Ticket(GraphBusNode):
    play = "Faust"

    @depends_on("Seats.assign")
    @schema_method(input_schema={"seat": str}, output_schema={"text": str})
    def print_out(self, seat):
        return {"text": f"{self.play}, seat {seat}"}
