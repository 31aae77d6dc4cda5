from graphbus_core import GraphBusNode, schema_method


class Wms(GraphBusNode):
    @schema_method(input_schema={"row": str}, output_schema={"bin": str, "sku": str})
    def stock(self, row):
        place, sku = row.split()
        return {"bin": place, "sku": sku}
