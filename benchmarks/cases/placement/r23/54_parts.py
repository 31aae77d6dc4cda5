# pure
"""The global memo holds sums which follow from the constant tables alone, and copies of them are given out."""
from graphbus_core import GraphBusNode, subscribe

BOM = {
    "wardrobe": {"carcass": 1, "door": 2, "drawer": 3, "screw": 24},
    "sideboard": {"carcass": 1, "door": 3, "drawer": 2, "leg": 4},
    "carcass": {"panel": 5, "dowel": 16, "screw": 8},
    "door": {"panel": 1, "hinge": 2, "knob": 1},
    "drawer": {"panel": 5, "runner": 2, "knob": 1},
    "hinge": {"screw": 4},
    "runner": {"screw": 6},
}
MEMO = {}


def explode(item):
    if item in MEMO:
        return MEMO[item]
    sums = {}
    for part, number in BOM.get(item, {}).items():
        if part not in BOM:
            sums[part] = sums.get(part, 0) + number
        else:
            below = explode(part)
            for k in below:
                sums[k] = sums.get(k, 0) + number * below[k]
            if part in ("hinge", "runner"):
                sums[part] = sums.get(part, 0) + number
    if item in BOM:
        MEMO[item] = sums
    return sums


class Parts(GraphBusNode):
    @subscribe("/Orders/Accepted")
    def on_accepted(self, items: dict[str, int], spare_screws: int = 0) -> dict:
        need = {}
        for item, pieces in items.items():
            need_one = dict(explode(item)) or {item: 1}
            for part in need_one:
                need[part] = need.get(part, 0) + pieces * need_one[part]
        if "screw" in need:
            need["screw"] += spare_screws
        return {part: need[part] for part in sorted(need)}
