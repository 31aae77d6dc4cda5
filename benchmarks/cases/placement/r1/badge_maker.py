# pure
from types import SimpleNamespace

from graphbus_core import GraphBusNode, subscribe

FIELDS = ("name", "role")


class BadgeMaker(GraphBusNode):
    @subscribe("/Visitor/Announced")
    def on_announced(self, payload):
        badge = SimpleNamespace(name="VISITOR", role="guest")
        for field in FIELDS:
            if payload.get(field):
                setattr(badge, field, payload[field].upper())
        vars(badge).update(stripe="red" if badge.role == "guest" else "green")
        self.publish("/Badge/Printed", vars(badge))
