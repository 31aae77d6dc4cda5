# stateful
import functools

from graphbus_core import GraphBusNode, subscribe


def on_change(key):
    """Call the handler only if payload[key] is not what it was."""
    def wrap(handler):
        was = object()

        @functools.wraps(handler)
        def inner(self, payload):
            nonlocal was
            value = payload[key]
            if value != was:
                was = value
                return handler(self, payload)
        return inner
    return wrap


class DoorContact(GraphBusNode):
    @subscribe("/Door/Contact")
    @on_change("open")
    def on_contact(self, payload):
        text = "opened" if payload["open"] else "closed"
        self.publish("/Door/Said", {"door": payload["door"], "text": text})
