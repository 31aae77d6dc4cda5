from graphbus_core import GraphBusNode, subscribe

import pricing
import vouchers


class Checkout(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Shop/Checkout")
    def on_event(self, net: int, country: str, code: str) -> dict[str, int]:
        price = pricing.price_for(net, country)
        off = vouchers.redeem(code)
        return {"pay": price.gross * (100 - off) // 100, "off": off}
