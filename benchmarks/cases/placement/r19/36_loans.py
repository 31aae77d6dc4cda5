# stateful
"""The conditions of a loan begin as the common list itself, and += writes the special ones into it for good."""
from graphbus_core import GraphBusNode, subscribe

CONDITIONS = {
    "all": ["insurance from door to door"],
    "paper": ["at most 50 lux", "three months at most"],
    "metal": ["humidity below 40 %"],
    "glass": ["no stacking"],
}
COURIER_FROM = 40000
VALUES = {"helmet": 12000, "vase": 61000, "map": 3000}
MADE_OF = {"helmet": "metal", "vase": "glass", "map": "paper"}


def conditions_for(item, abroad):
    conditions = CONDITIONS["all"]
    material = MADE_OF.get(item)
    if material:
        conditions += [text for text in CONDITIONS[material] if text not in conditions]
    if abroad and "export licence" not in conditions:
        conditions += ["export licence"]
    return conditions


def numbered(texts):
    lines = []
    for i in range(len(texts)):
        lines.append("%d) %s" % (i + 1, texts[i]))
    return lines


class LoanDesk(GraphBusNode):
    @subscribe("/Museum/Loans")
    def on_request(self, item: str, borrower: str, abroad: bool) -> dict[str, object]:
        value = VALUES.get(item, 0)
        lines = numbered(conditions_for(item, abroad))
        return {"borrower": borrower, "contract": lines, "courier": value >= COURIER_FROM}
