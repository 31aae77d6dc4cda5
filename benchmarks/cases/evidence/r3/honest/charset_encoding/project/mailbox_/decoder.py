from graphbus_core import GraphBusNode, depends_on, schema_method


class Decoder(GraphBusNode):
    @depends_on("Sniffer.sniff")
    @schema_method(input_schema={"charset": str, "hex": str}, output_schema={"text": str})
    def decode(self, charset, hex):
        return {"text": bytes.fromhex(hex).decode(encoding=charset)}
