from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Radar(GraphBusNode):
    @publishes("/Echo", {"range_m": int})
    def echo(self):
        self.publish("/Echo", {"range_m": 80})


class Watch(GraphBusNode):
    def __init__(self):
        self.alarms = []

    @subscribe("/Echo")
    @schema_method(input_schema={"distance": int})
    def on_echo(self, payload):
        match payload:
            case {"distance": int(d)} if d < 100:
                self.alarms.append(d)
            case _:
                pass
