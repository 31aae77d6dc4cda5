# pure
"""Keeps nothing across events: the global bins are emptied when a cutting list begins."""
from graphbus_core import GraphBusNode, subscribe

STOCK = 600      # cm
SAW = 1          # cm lost with each cut

bins = []
rest = []


def start():
    del bins[:]
    del rest[:]


def put(length):
    need = length + SAW
    best = -1
    for i in range(len(bins)):
        if rest[i] >= need and (best < 0 or rest[i] < rest[best]):
            best = i
    if best < 0:
        bins.append([])
        rest.append(STOCK + SAW)
        best = len(bins) - 1
    bins[best].append(length)
    rest[best] -= need


def waste():
    w = 0
    for r in rest:
        w += max(r, 0)
    return w


class BeamNode(GraphBusNode):
    @subscribe("/Site/CuttingList")
    def on_list(self, section: str, lengths: list[int]) -> dict[str, object]:
        start()
        too_long = []
        for length in sorted(lengths, reverse=True):
            if length > STOCK:
                too_long.append(length)
            else:
                put(length)
        return {
            "section": section,
            "beams": [list(b) for b in bins],
            "waste_cm": waste(),
            "special": too_long,
        }
