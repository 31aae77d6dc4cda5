from typing import NewType, TypedDict

from graphbus_core import GraphBusNode, schema_method

Ref = NewType("Ref", str)


class Parcel(TypedDict):
    entry: Ref
    area: int


class Land(GraphBusNode):
    @schema_method
    def parcel(self, street: str) -> Parcel:
        return {"entry": Ref("12/7"), "area": 640}
