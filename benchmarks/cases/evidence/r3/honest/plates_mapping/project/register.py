from graphbus_core import GraphBusNode, schema_method, subscribe


class Register(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.seen = {}

    @subscribe("/Plates")
    @schema_method(input_schema={"plate_no": str})
    def on_plate(self, payload):
        plate = payload["plate_no"]
        self.seen[plate] = self.seen.get(plate, 0) + 1
