# pure
import copy

from graphbus_core import GraphBusNode, subscribe

TEMPLATE = {"title": "Contract", "clauses": ["Scope", "Payment"], "parties": []}


class ContractLetter(GraphBusNode):
    @subscribe("/Contract/Wanted")
    def on_wanted(self, payload):
        letter = copy.deepcopy(TEMPLATE)
        letter["parties"] += payload["parties"]
        if payload.get("secret"):
            letter["clauses"].append("Confidentiality")
        self.publish("/Contract/Draft", letter)
