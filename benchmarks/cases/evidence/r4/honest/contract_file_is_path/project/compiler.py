from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CompilerResult(TypedDict):
    artifact: str


class Compiler(GraphBusNode):
    @depends_on("Loader.find")
    @schema_method
    def compile(self, filename: str) -> CompilerResult:
        return {"artifact": f"out/{filename.stem}.json"}
