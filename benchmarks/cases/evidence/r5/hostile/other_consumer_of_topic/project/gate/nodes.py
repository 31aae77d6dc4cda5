from graphbus_core import GraphBusNode, schema_method, subscribe


class Gate(GraphBusNode):
    @schema_method(input_schema={"badge_no": int}, output_schema={"badge": str})
    def pass_through(self, badge_no):
        event = {"badge": f"#{badge_no}"}
        self.publish("/gate/passed", event)
        return event


class Counter(GraphBusNode):
    @subscribe("/gate/passed")
    @schema_method(input_schema={"card": str}, output_schema={"last": str})
    def on_pass(self, event):
        return {"last": event["card"]}
