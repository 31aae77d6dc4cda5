from graphbus_core import GraphBusNode, subscribe

import shopconf


class Landing(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.conf = shopconf.fresh()

    @subscribe("/Shop/PageOpened")
    def on_event(self, visitor: str) -> str:
        b = self.conf["banner"]
        return f"{b['text']}, {visitor}! ({b['tone']}, {self.conf['currency']})"
