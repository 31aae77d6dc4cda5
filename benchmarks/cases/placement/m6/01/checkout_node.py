from graphbus_core import GraphBusNode, subscribe

from basket import Basket
from discounts import apply, redeem, step_rate


class CheckoutNode(GraphBusNode):
    """Closes an order."""

    @subscribe("/Checkout")
    def on_checkout(self, customer: str, skus: list[str], coupon: str) -> dict:
        basket = Basket.of(skus)
        total = basket.total()
        percent = step_rate(total)
        if coupon:
            percent = max(percent, redeem(coupon, customer))
        return {"customer": customer, "percent": percent, "to_pay": apply(total, percent)}
