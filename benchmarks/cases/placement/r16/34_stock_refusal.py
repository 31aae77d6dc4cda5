# stateful
"""One exception object is raised again and again, and its notes pile up."""
from graphbus_core import GraphBusNode, subscribe

LIMITS = {"insulin": 10, "morphine": 2, "saline": 200}


class Refused(Exception):
    pass


UNKNOWN_DRUG = Refused("drug not in formulary")
OVER_LIMIT = Refused("quantity above ward limit")


def check(drug: str, quantity: int) -> None:
    limit = LIMITS.get(drug)
    if limit is None:
        UNKNOWN_DRUG.add_note(drug)
        raise UNKNOWN_DRUG
    if quantity > limit:
        OVER_LIMIT.add_note(f"{drug}: {quantity} > {limit}")
        raise OVER_LIMIT


class StockRefusal(GraphBusNode):
    @subscribe("/Pharmacy/Request")
    def on_request(self, ward: str, drug: str, quantity: int) -> dict[str, object]:
        try:
            check(drug.lower(), quantity)
        except Refused as refusal:
            return {"ward": ward, "refused": str(refusal), "details": list(refusal.__notes__)}
        return {"ward": ward, "granted": quantity}
