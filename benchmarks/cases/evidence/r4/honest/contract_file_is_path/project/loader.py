from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from pathlib import Path


class LoaderResult(TypedDict):
    filename: Path


class Loader(GraphBusNode):
    @schema_method
    def find(self, name: str) -> LoaderResult:
        return {"filename": Path("contracts") / f"{name}.vy"}
