# pure
from graphbus_core import GraphBusNode, subscribe


class Podium(GraphBusNode):
    @subscribe("/Race/Ended")
    def on(self, payload):
        ranked = []
        for place, time in enumerate(sorted(payload["times"]), 1):
            ranked.append({"place": place, "time": time})
        self.publish("/Race/Ranked", {"ranked": ranked})
