import zlib

from graphbus_core import GraphBusNode, depends_on, schema_method


class Invoice(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"number": int, "total_cents": int})
    def issue(self, n):
        return {"number": n, "total_cents": n * 100}


class Sealer(GraphBusNode):
    @depends_on("Invoice.issue")
    @schema_method(input_schema={"cents": int, "number": int}, output_schema={"seal": str})
    def seal(self, cents, number):
        text = "&".join(f"{k}={v}" for k, v in sorted(locals().items()) if k != "self")
        return {"seal": f"{zlib.crc32(text.encode()):08x}"}
