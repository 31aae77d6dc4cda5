from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from review import Person


class NotifyResult(TypedDict):
    text: str


class Notify(GraphBusNode):
    @depends_on("Review.load")
    @schema_method
    def tell(self, number: int, person: Person) -> NotifyResult:
        return {"text": f"@{person['login']} #{number}"}
