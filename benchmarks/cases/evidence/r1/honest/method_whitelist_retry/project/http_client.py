from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Retry(TypedDict):
    raised_methods: list[str]
    allowed_methods: list[str]


class RetryPolicy(GraphBusNode):
    @schema_method
    def make(self) -> Retry:
        return {"raised_methods": ["POST"], "allowed_methods": ["GET", "HEAD"]}


class Session(GraphBusNode):
    @depends_on("RetryPolicy.make")
    @schema_method
    def mount(self, method_whitelist: list[str]) -> dict[str, bool]:
        return {"retries_get": "GET" in method_whitelist}
