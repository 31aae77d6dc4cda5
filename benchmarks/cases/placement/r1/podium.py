# pure
from graphbus_core import GraphBusNode, subscribe


class Podium(GraphBusNode):
    medals = ["gold", "silver", "bronze"]
    history = ()

    @subscribe("/Race/Finished")
    def on_finished(self, payload):
        ranked = sorted(payload["times"], key=payload["times"].get)
        medals = list(self.medals)
        medals.reverse()
        given = {}
        while medals and len(given) < len(ranked):
            given[ranked[len(given)]] = medals.pop()
        self.publish("/Race/Podium", given)
