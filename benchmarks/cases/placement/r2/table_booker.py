# stateful
from functools import lru_cache
from itertools import count

from graphbus_core import GraphBusNode, subscribe

NUMBERS = count(1)


@lru_cache(maxsize=None)
def find_table(guest):
    return next(NUMBERS)


class TableBooker(GraphBusNode):
    @subscribe("/Guest/Came")
    def on(self, payload):
        self.publish("/Guest/Seated", {"table": find_table(payload["guest"])})
