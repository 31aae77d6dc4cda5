from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class DecoderResult(TypedDict):
    text: str


class Decoder(GraphBusNode):
    @depends_on("Scanner.next")
    @schema_method
    def decode(self, raw: bytes) -> DecoderResult:
        return {"text": raw.decode().upper()}
