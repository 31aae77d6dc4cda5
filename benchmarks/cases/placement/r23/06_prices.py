# pure
"""All tables are only read; the global names that are written are written anew at the start of every event."""
from graphbus_core import GraphBusNode, subscribe

WOOD = {"oak": 4.80, "beech": 3.10, "pine": 1.45, "walnut": 8.90}       # per dm3
FINISH = {"oil": 0.9, "lacquer": 1.4, "raw": 0.0}                      # per dm2
HOURLY = 58.0
RATES = [(0, 0.0), (5, 0.04), (10, 0.07), (25, 0.12)]

total = 0.0
log = []


def add(what, amount):
    global total
    total += amount
    log.append("%-10s %9.2f" % (what, amount))


def discount(pieces):
    rate = 0.0
    for least, value in RATES:
        if pieces >= least:
            rate = value
    return rate


class Prices(GraphBusNode):
    @subscribe("/Sales/Enquiry")
    def on_enquiry(self, wood: str, finish: str, dm3: float, dm2: float, hours: float, pieces: int) -> dict:
        global total, log
        total, log = 0.0, []
        add("wood", WOOD.get(wood, max(WOOD.values())) * dm3 * 1.25)
        add("finish", FINISH.get(finish, 1.0) * dm2)
        add("work", HOURLY * hours)
        add("discount", -total * discount(pieces))
        return {"each": round(total, 2), "all": round(total * pieces, 2), "lines": log}
