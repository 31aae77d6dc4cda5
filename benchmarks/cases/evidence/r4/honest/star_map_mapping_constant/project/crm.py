from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CrmResult(TypedDict):
    mail: str
    phone: str


class Crm(GraphBusNode):
    @schema_method
    def contact(self, name: str) -> CrmResult:
        return {"mail": name + "@x.org", "phone": "555"}
