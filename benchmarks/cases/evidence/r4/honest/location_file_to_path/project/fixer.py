from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class FixerResult(TypedDict):
    title: str


class Fixer(GraphBusNode):
    @depends_on("Scanner.scan")
    @schema_method
    def open_issue(self, repo: str, file: str, line: int) -> FixerResult:
        return {"title": f"{repo}: sorry in {file}:{line}"}
