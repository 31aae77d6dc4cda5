# pure
from collections import ChainMap

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = {"excess": 500, "term": 12, "base": 300}


class InsuranceQuote(GraphBusNode):
    @subscribe("/Quote/Asked")
    def on_asked(self, payload):
        terms = ChainMap({}, payload, DEFAULTS)
        if terms["age"] < 25:
            terms["base"] = 900
        terms["yearly"] = terms["base"] - terms["excess"] // 10
        self.publish("/Quote/Given", {"yearly": terms["yearly"], "term": terms["term"]})
