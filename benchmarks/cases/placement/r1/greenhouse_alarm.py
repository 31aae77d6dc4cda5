# stateful
from graphbus_core import GraphBusNode, subscribe


class GreenhouseAlarm(GraphBusNode):
    @subscribe("/Sensor/Value")
    def on_value(self, payload):
        name = "_" + payload["kind"]
        jump = payload["value"] - getattr(self, name, payload["value"])
        setattr(self, name, payload["value"])
        if abs(jump) > 5:
            self.publish("/Alarm/Jump", {"kind": payload["kind"], "by": jump})
