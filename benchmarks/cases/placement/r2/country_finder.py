# pure
from graphbus_core import GraphBusNode, subscribe

COUNTRIES = {"DE": "Germany", "FR": "France", "IT": "Italy"}


class CountryFinder(GraphBusNode):
    @subscribe("/Code/Typed")
    def on(self, payload):
        self.publish("/Country/Found", {"name": COUNTRIES.get(payload["code"], "unknown")})
