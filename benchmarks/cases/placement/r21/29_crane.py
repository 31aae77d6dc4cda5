# stateful
"""Keeps the load moments of the day in a module dict, under an alias in the node."""
from graphbus_core import GraphBusNode, subscribe

CRANES = {
    "K1": {"max_tm": 220.0, "jib": 50, "done": 0.0},
    "K2": {"max_tm": 90.0, "jib": 30, "done": 0.0},
}

SERVICE_AFTER = 400.0


def find(name):
    if name in CRANES:
        return CRANES[name]
    return None


def moment(tonnes, metres):
    # 10 percent for hook and slings
    return tonnes * 1.1 * metres


def check(crane, tonnes, metres):
    if metres > crane["jib"]:
        return "out of reach"
    if moment(tonnes, metres) > crane["max_tm"]:
        return "too heavy"
    return "ok"


class CraneNode(GraphBusNode):
    @subscribe("/Site/LiftWanted")
    def on_lift(self, crane: str, tonnes: float, metres: float) -> dict[str, object]:
        c = find(crane)
        if c is None:
            return {"crane": crane, "answer": "no such crane"}
        answer = check(c, tonnes, metres)
        if answer == "ok":
            c["done"] = c["done"] + moment(tonnes, metres)
            if c["done"] > SERVICE_AFTER:
                answer = "ok, then grease slewing ring"
                c["done"] = 0.0
        return {"crane": crane, "answer": answer}
