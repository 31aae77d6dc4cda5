from graphbus_core import GraphBusNode, depends_on, schema_method


class Store(GraphBusNode):
    @schema_method(input_schema={"shelf": int}, output_schema={"sku": str, "owner": str})
    def lookup(self, shelf):
        return {"sku": f"S-{shelf}", "owner": "us"}


class Printer(GraphBusNode):
    @depends_on("Store.lookup")
    @schema_method(input_schema={"article": str}, output_schema={"zpl": str})
    def label(self, article):
        return {"zpl": f"^FD{article}^FS"}


def print_shelf(shelf, printer=None):
    found = Store().lookup(shelf)
    return (printer or Printer()).label(article=found["sku"])
