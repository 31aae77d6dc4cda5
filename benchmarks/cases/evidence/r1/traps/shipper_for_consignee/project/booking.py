from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method
from parties import Party


class Confirmed(TypedDict):
    bl_no: str
    shipper: Party


class Booking(GraphBusNode):
    @schema_method
    def confirm(self, bl_no: str) -> Confirmed:
        return {"bl_no": bl_no, "shipper": {"name": "Hanse Tea", "mail": "out@hanse.example"}}
