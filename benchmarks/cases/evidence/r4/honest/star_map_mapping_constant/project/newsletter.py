from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class NewsletterResult(TypedDict):
    line: str


class Newsletter(GraphBusNode):
    @depends_on("Crm.contact")
    @schema_method
    def subscribe(self, email: str) -> NewsletterResult:
        return {"line": email.lower()}
