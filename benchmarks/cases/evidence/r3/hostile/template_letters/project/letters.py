from string import Template

from graphbus_core import GraphBusNode, schema_method, subscribe

from texts import GREETING


class Letters(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.out = []

    @subscribe("/Crm/Found")
    @schema_method(input_schema={"customer": str, "due": int})
    def write(self, payload):
        customer = payload["customer"]
        due = payload["due"]
        self.out.append(Template(GREETING).substitute(locals()))
