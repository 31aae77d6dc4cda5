# stateful
from functools import partial

from graphbus_core import GraphBusNode, subscribe

SENDERS = []
note = partial(list.append, SENDERS)


class SpamWatch(GraphBusNode):
    @subscribe("/Mail/Came")
    def on(self, payload):
        note(payload["sender"])
        self.publish("/Mail/Judged", {"spam": SENDERS.count(payload["sender"]) > 1})
