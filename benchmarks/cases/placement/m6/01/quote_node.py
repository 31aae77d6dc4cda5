from graphbus_core import GraphBusNode, subscribe

import discounts
from basket import Basket


class QuoteNode(GraphBusNode):
    """Tells what a basket would cost."""

    @subscribe("/Quote")
    def on_quote(self, skus: list[str], coupon: str) -> dict:
        basket = Basket.of(skus)
        total = basket.total()
        percent = max(discounts.step_rate(total), discounts.rate_of(coupon))
        lines = []
        for product, count in basket.products():
            lines.append(f"{count} x {product.title:<14}{product.gross() * count / 100:9.2f}")
        return {
            "lines": lines,
            "total": total,
            "after": discounts.apply(total, percent),
            "unknown": basket.unknown,
        }
