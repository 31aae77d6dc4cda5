# stateful
"""Makes a ticket from the default one and scores it by its tags."""
from graphbus_core import GraphBusNode, subscribe
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Ticket:
    id: int = 0
    tags: list = field(default_factory=list)

    def with_tags(self, tags):
        self.tags.extend(tags)
        return self


BLANK = Ticket()


class Tagger(GraphBusNode):
    @subscribe("/In")
    def on_ticket(self, event):
        ticket = replace(BLANK, id=event["id"]).with_tags(event["tags"])
        return {"id": ticket.id, "total": 10 * len(ticket.tags)}
