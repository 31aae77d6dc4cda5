from graphbus_core import GraphBusNode, subscribe

from rooms import smallest_for
from timegrid import Span


class BookingNode(GraphBusNode):
    @subscribe("/Book")
    def on_request(self, people: int, span: str, weekend: bool) -> dict:
        room = smallest_for(people)
        if room is None:
            return {"ok": False, "reason": "too many people"}
        got = room.reserve(Span.parse(span), "weekend" if weekend else "weekday")
        if got is None:
            return {"ok": False, "reason": "full"}
        return {"ok": True, "room": room.name, "when": str(got)}
