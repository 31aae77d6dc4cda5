from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Married(TypedDict):
    first_name: str
    surname: str


class Registry(GraphBusNode):
    @schema_method
    def marry(self, couple: int) -> Married:
        return {"first_name": "Kim", "surname": "Lee"}


class Doorbell(GraphBusNode):
    @depends_on("Registry.marry")
    @schema_method
    def engrave(self, last_name: str) -> dict[str, str]:
        return {"plate": last_name.upper()}
