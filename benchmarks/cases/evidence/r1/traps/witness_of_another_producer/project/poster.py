from graphbus_core import GraphBusNode, depends_on, schema_method


class Poster(GraphBusNode):
    @depends_on("Venue.book")
    @schema_method(input_schema={"speaker": str, "seats": int}, output_schema={"text": str})
    def print_it(self, speaker, seats):
        return {"text": f"{speaker} speaks ({seats} seats)"}
