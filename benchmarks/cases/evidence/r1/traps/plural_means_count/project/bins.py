from graphbus_core import GraphBusNode, depends_on, schema_method


class Kiosk(GraphBusNode):
    @schema_method(input_schema={"shelf": int}, output_schema={"part": str, "shelf": int})
    def pick(self, shelf):
        return {"part": "bolt-3", "shelf": shelf}


class Bin(GraphBusNode):
    @depends_on("Kiosk.pick")
    @schema_method(input_schema={"shelf": int, "parts": int}, output_schema={"left": str})
    def take(self, shelf, parts):
        return {"left": f"shelf {shelf}: {parts!r} taken"}
