from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Parsed(TypedDict):
    eval_strategy: str
    save_strategy: str
    steps: int


class Arguments(GraphBusNode):
    @schema_method(input_schema={"line": str}, output_schema=Parsed)
    def parse(self, line) -> Parsed:
        found = dict(part.split("=") for part in line.split())
        return {"eval_strategy": found.get("eval", "no"), "save_strategy": found.get("save", "steps"), "steps": 4}
