from graphbus_core import GraphBusNode, schema_method


class Booking(GraphBusNode):
    @schema_method(input_schema={"number": int}, output_schema={"guest": str, "agent": str, "room": int})
    def confirm(self, number):
        return {"guest": "Mr Abt", "agent": "Sun Travel", "room": number + 7}
