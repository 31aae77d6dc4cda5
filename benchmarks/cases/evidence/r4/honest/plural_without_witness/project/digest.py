from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class DigestResult(TypedDict):
    text: str


class Digest(GraphBusNode):
    @depends_on("Press.collect")
    @schema_method
    def write(self, headline_list: list[str]) -> DigestResult:
        return {"text": " / ".join(headline_list)}
