# pure
"""Precision and rounding are set in a local decimal context, which ends with the with-block."""
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, InvalidOperation, localcontext
from operator import methodcaller

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
HOUSE = Context(prec=14, rounding=ROUND_HALF_EVEN)
ROUNDING = {"customer": ROUND_CEILING, "garage": ROUND_FLOOR}


def share(amount: Decimal, insured: Decimal, value: Decimal) -> Decimal:
    """Underinsurance cuts the payment in proportion."""
    if insured >= value:
        return amount
    return amount * insured / value


class Payout(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._excess = {"car": Decimal("300"), "home": Decimal("150")}

    @subscribe("/Insurer/Damages")
    def on_damage(self, product: str, bill: str, insured: str, value: str, receiver: str) -> dict[str, str]:
        with localcontext(HOUSE) as context:
            context.rounding = ROUNDING.get(receiver, context.rounding)
            if product == "boat":
                context.prec = 20
            try:
                numbers = [Decimal(text).normalize() for text in map(methodcaller("replace", ",", "."), (bill, insured, value))]
            except InvalidOperation:
                return {"pay": "0.00", "note": "not a number"}
            paid = share(*numbers) - self._excess.get(product, Decimal(0))
            paid = max(paid, Decimal(0)).quantize(CENT)
        return {"pay": str(paid), "note": f"{receiver}, {len(str(paid))} characters"}
