from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ParserResult(TypedDict):
    size: int
    head: str


class Parser(GraphBusNode):
    @schema_method
    def parse(self, text: str) -> ParserResult:
        return {"size": len(text.splitlines()), "head": text[:3]}


class ByteParser(Parser):
    def parse(self, text: str) -> ParserResult:
        return {"size": len(text.encode()), "head": text[:3]}
