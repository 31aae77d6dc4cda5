# pure
import copy

from graphbus_core import GraphBusNode, subscribe

TEMPLATE = {
    "status": "new",
    "tags": ["mail"],
    "people": {"watchers": [], "owner": None},
}


class TicketFromMail(GraphBusNode):
    @subscribe("/Mail/Received")
    def on_mail(self, payload):
        ticket = copy.deepcopy(TEMPLATE)
        ticket["title"] = payload["subject"]
        if "urgent" in payload["subject"].lower():
            ticket["tags"].append("urgent")
        ticket["people"]["watchers"] += payload.get("cc", [])
        ticket["people"]["owner"] = payload["sender"]
        self.publish("/Ticket/Created", ticket)
