from graphbus_core import GraphBusNode, depends_on, schema_method


class Usher(GraphBusNode):
    @depends_on("BoxOffice.sell")
    @schema_method(input_schema={"place": str}, output_schema={"says": str})
    def lead(self, place):
        return {"says": f"Row {place[0]}, please: {place}"}
