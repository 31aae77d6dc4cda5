# stateful
import threading

from graphbus_core import GraphBusNode, subscribe

PAPER = threading.local()


class PrintShop(GraphBusNode):
    @subscribe("/Pages/Asked")
    def on(self, payload):
        PAPER.used = getattr(PAPER, "used", 0) + payload["pages"]
        self.publish("/Pages/Printed", {"used": PAPER.used})
