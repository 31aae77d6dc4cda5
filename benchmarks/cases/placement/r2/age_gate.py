# pure
from graphbus_core import GraphBusNode, subscribe


class AgeGate(GraphBusNode):
    @subscribe("/Age/Said")
    def on(self, payload):
        try:
            age = int(payload["age"])
        except ValueError:
            self.publish("/Age/Unclear", {"said": payload["age"]})
        else:
            self.publish("/Age/Checked", {"adult": age >= 18})
