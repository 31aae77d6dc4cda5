# stateful
from graphbus_core import GraphBusNode, subscribe


def is_new(message_id, seen=set()):  # noqa: B006
    before = len(seen)
    seen.add(message_id)
    return len(seen) > before


class MailGate(GraphBusNode):
    @subscribe("/Mail/In")
    def on_mail(self, payload):
        if is_new(payload["id"]):
            self.publish("/Mail/Inbox", payload)
