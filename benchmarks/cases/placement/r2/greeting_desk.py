# stateful
from graphbus_core import GraphBusNode, subscribe


class GreetingDesk(GraphBusNode):
    @subscribe("/Visitor/Came")
    def on(self, payload):
        before = self.__dict__.get("visitor", "nobody")
        self.__dict__["visitor"] = payload["who"]
        self.publish("/Visitor/Greeted", {"text": f"After {before}: {payload['who']}"})
