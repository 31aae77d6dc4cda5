from graphbus_core import GraphBusNode, schema_method, subscribe


class Tracker(GraphBusNode):
    @subscribe("/parcel/scanned")
    @schema_method(input_schema={"tracking_id": str}, output_schema={"line": str})
    def note(self, tracking_id):
        return {"line": f"{tracking_id} passed"}
