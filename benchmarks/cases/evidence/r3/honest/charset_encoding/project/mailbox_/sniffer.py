from graphbus_core import GraphBusNode, schema_method


class Sniffer(GraphBusNode):
    @schema_method(input_schema={"header": str}, output_schema={"encoding": str, "hex": str})
    def sniff(self, header):
        encoding, _, body = header.partition(" ")
        return {"encoding": encoding, "hex": body}
