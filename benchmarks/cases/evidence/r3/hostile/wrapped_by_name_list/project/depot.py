from graphbus_core import GraphBusNode, depends_on, schema_method

from coerce import install


class Scanner(GraphBusNode):
    @schema_method(input_schema={"beam": str}, output_schema={"code": str})
    def read(self, beam):
        return {"code": beam.strip("|")}


class Depot(GraphBusNode):
    @depends_on("Scanner.read")
    @schema_method(input_schema={"barcode": str}, output_schema={"slot": str})
    def book(self, barcode):
        return {"slot": f"{barcode[0]}-{barcode[1:]}"}


install(Depot)
