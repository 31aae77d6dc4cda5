from graphbus_core import GraphBusNode, publishes, schema_method


class Sorter(GraphBusNode):
    @publishes("/parcel/scanned", {"parcel": str, "belt": str})
    @schema_method(input_schema={"parcel": str}, output_schema={"parcel": str, "belt": str})
    def scan(self, parcel):
        event = {"parcel": parcel, "belt": "B2"}
        self.publish("/parcel/scanned", {"parcel": event["parcel"], "belt": event["belt"]})
        return event
