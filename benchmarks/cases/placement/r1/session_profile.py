# stateful
from graphbus_core import GraphBusNode, subscribe


class Profile(GraphBusNode):
    nick = "somebody"
    colour = "grey"

    @subscribe("/Profile/Edited")
    def on_edited(self, payload):
        allowed = {k: v for k, v in payload.items() if k in ("nick", "colour")}
        vars(self).update(allowed)

    @subscribe("/Profile/Asked")
    def on_asked(self, payload):
        self.publish("/Profile/Card", {"nick": self.nick, "colour": self.colour})
