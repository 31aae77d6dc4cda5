# stateful
import threading

from graphbus_core import GraphBusNode, subscribe

line = threading.local()


def dialled():
    if not hasattr(line, "calls"):
        line.calls = 0
    line.calls += 1
    return line.calls


class Sms(GraphBusNode):
    @subscribe("/Sms/Send")
    def on_send(self, payload):
        self.publish("/Sms/Sent", {"to": payload["to"], "reference": dialled()})
