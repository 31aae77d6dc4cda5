from graphbus_core import GraphBusNode, schema_method


class Dialect(GraphBusNode):
    @schema_method(input_schema={"sample": str}, output_schema={"lineterminator": str, "sep": str})
    def detect(self, sample):
        end = "\r\n" if "\r\n" in sample else "\n"
        sep = max(",;\t", key=sample.count)
        return {"lineterminator": end, "sep": sep}
