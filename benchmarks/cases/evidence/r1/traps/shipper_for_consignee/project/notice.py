from graphbus_core import GraphBusNode, depends_on, schema_method
from parties import Party


class ArrivalNotice(GraphBusNode):
    @depends_on("Booking.confirm")
    @schema_method
    def send(self, bl_no: str, consignee: Party) -> dict[str, str]:
        return {"to": consignee["mail"]}
