from graphbus_core import GraphBusNode, depends_on

TEMPLATE = "To: {customer}\nHow did we do with ticket {ticket}?"


class Survey(GraphBusNode):
    SYSTEM_PROMPT = "I ask customers how it went."

    def __init__(self):
        super().__init__()
        self.outbox = []

    @depends_on("Desk.close")
    def invite(self, ticket: int, customer: str) -> dict:
        mail = TEMPLATE.format(customer=customer, ticket=ticket)
        self.outbox.append(mail)
        return {"mail": mail}
