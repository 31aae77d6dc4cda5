from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ScannerResult(TypedDict):
    repo: str
    path: str
    line: int


class Scanner(GraphBusNode):
    @schema_method
    def scan(self, repo: str) -> ScannerResult:
        return {"repo": repo, "path": "Lib/Basic.lean", "line": 12}
