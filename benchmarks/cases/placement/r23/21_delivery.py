# pure
"""The stock is copied row by row before the trial booking, so the global one stays as it is."""
from graphbus_core import GraphBusNode, subscribe

STORE = {
    "chair": {"ready": 12, "per_week": 8},
    "table": {"ready": 2, "per_week": 3},
    "bench": {"ready": 0, "per_week": 2},
}


def snapshot():
    copy = {}
    for name in STORE:
        copy[name] = dict(STORE[name])
    return copy


def weeks_for(row, pieces):
    weeks = 0
    while row["ready"] < pieces:
        row["ready"] += row["per_week"]
        weeks += 1
    row["ready"] -= pieces
    return weeks


class Delivery(GraphBusNode):
    @subscribe("/Sales/DeliveryDate")
    def on_date(self, customer: str, wishes: list[list]) -> dict:
        store = snapshot()
        longest, refused = 0, []
        for name, pieces in wishes:
            if name not in store:
                store[name] = {"ready": 0, "per_week": 0}
            if store[name]["per_week"] == 0:
                refused.append(name)
                continue
            longest = max(longest, weeks_for(store[name], pieces))
        return {"customer": customer, "weeks": longest + 1, "refused": refused, "kinds": len(store)}
