from graphbus_core import GraphBusNode, depends_on, schema_method


class Stamp(GraphBusNode):
    ZONES = ((1000, "south"), (99999, "north"))

    @depends_on("Address.parse")
    @schema_method(input_schema={"zip": int, "town": str}, output_schema={"text": str})
    def print(self, zip, town):
        zone = next(z for top, z in self.ZONES if zip <= top)
        return {"text": f"{zip} {town} ({zone})"}
