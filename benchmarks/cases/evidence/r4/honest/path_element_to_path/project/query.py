from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class QueryResult(TypedDict):
    gql: str


class Query(GraphBusNode):
    @depends_on("Keys.make")
    @schema_method
    def ancestor(self, path_element: list[str]) -> QueryResult:
        return {"gql": "ANCESTOR " + "/".join(path_element)}
