# stateful
"""Keeps the text of the last error in a global, and sends it along when the next list is fine too."""
from graphbus_core import GraphBusNode, subscribe

KG_PER_M = {6: 0.222, 8: 0.395, 10: 0.617, 12: 0.888, 14: 1.21, 16: 1.58, 20: 2.47, 25: 3.85}
STOCK_M = 12.0

last_error = ""


def fail(text, *args):
    global last_error
    last_error = text % args
    return None


def bar_weight(diameter, length):
    if diameter not in KG_PER_M:
        return fail("diameter %d not stocked", diameter)
    if length > STOCK_M:
        return fail("bar of %.2f m is longer than stock", length)
    return KG_PER_M[diameter] * length


def list_weight(diameters, lengths, pieces):
    total = 0.0
    for i in range(len(diameters)):
        w = bar_weight(diameters[i], lengths[i])
        if w is None:
            continue
        total += w * pieces[i]
    return total


class RebarNode(GraphBusNode):
    @subscribe("/Site/RebarList")
    def on_list(self, drawing: str, diameters: list[int], lengths: list[float], pieces: list[int]) -> dict[str, object]:
        total = list_weight(diameters, lengths, pieces)
        answer = {"drawing": drawing, "kg": round(total, 1)}
        if last_error:
            answer["remark"] = last_error
        return answer
