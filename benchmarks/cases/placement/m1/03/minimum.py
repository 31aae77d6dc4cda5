from graphbus_core import GraphBusNode, subscribe

import shopconf


class Minimum(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.conf = shopconf.fresh()

    @subscribe("/Shop/CartTotal")
    def on_event(self, total: int) -> dict[str, object]:
        need = max(0, self.conf["min_order"] - total)
        return {"ok": need == 0, "missing": need, "tier": shopconf.tier()}
