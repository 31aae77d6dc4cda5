# stateful
import datetime

from graphbus_core import GraphBusNode, subscribe


class InvoiceDesk(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._numbers = self._count()

    @staticmethod
    def _count():
        n = 0
        while True:
            n += 1
            yield n

    @subscribe("/Order/Shipped")
    def on_shipped(self, payload):
        year = datetime.date.fromisoformat(payload["day"]).year
        self.publish("/Invoice/Written", {"number": f"{year}-{next(self._numbers)}", "order": payload["order"]})
