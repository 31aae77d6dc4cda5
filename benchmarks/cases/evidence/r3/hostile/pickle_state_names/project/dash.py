from graphbus_core import GraphBusNode, schema_method, subscribe


class Dash(GraphBusNode):
    kmh = 0
    sats = 0

    @subscribe("/Gps/Fix")
    @schema_method(input_schema={"kmh": int, "sats": int})
    def on_fix(self, payload):
        self.__dict__.update(payload)
