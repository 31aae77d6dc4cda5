# pure
"""Keeps a number of handled notes that nobody reads; the answer comes from the dispatch table alone."""
from graphbus_core import GraphBusNode, subscribe

handled = {"concrete": 0, "steel": 0, "other": 0}


def concrete(note):
    minutes = note.get("minutes", 0)
    if minutes > 90:
        return "refuse", "older than 90 minutes"
    if not 0.45 <= note.get("wc", 0.5) <= 0.6:
        return "refuse", "water/cement"
    return "accept", "take %d cubes" % (1 + int(note.get("m3", 0) // 50))


def steel(note):
    if not note.get("certificate"):
        return "quarantine", "certificate missing"
    return "accept", "stack B"


def other(note):
    return "accept", "count and sign"


DISPATCH = {"concrete": concrete, "steel": steel}


def tally(kind):
    # was for the end of day print-out
    if kind in handled:
        handled[kind] += 1
    else:
        handled["other"] += 1


class DeliveryNode(GraphBusNode):
    @subscribe("/Site/Delivery")
    def on_delivery(self, kind: str, note: dict[str, float]) -> dict[str, str]:
        tally(kind)
        verdict, reason = DISPATCH.get(kind, other)(note)
        return {"kind": kind, "verdict": verdict, "reason": reason}
