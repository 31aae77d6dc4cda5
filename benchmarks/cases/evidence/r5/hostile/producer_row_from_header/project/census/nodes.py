from graphbus_core import GraphBusNode, depends_on, schema_method

HEADER = "town inhabitants area"


class Census(GraphBusNode):
    ROWS = {"Ulm": (126, 119.0), "Au": (3, 12.0)}

    @schema_method(input_schema={"town": str}, output_schema={"town": str, "inhabitants": int, "area": float})
    def row(self, town):
        return dict(zip(HEADER.split(), (town, *self.ROWS[town])))


class Map(GraphBusNode):
    @depends_on("Census.row")
    @schema_method(input_schema={"population": int}, output_schema={"shade": str})
    def shade(self, population):
        return {"shade": "dark" if population > 100 else "light"}
