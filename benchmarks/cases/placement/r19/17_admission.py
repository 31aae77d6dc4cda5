# pure
"""Global price tables, which are only ever read; the bill is a copy that the event works on."""
from graphbus_core import GraphBusNode, subscribe

PRICES = {"adult": 1200, "child": 400, "senior": 900, "student": 600}
FREE_DAYS = ["thursday"]
EXTRAS = {"audio": 300, "special": 500}
BLANK = {"lines": [], "total": 0, "hint": ""}


def new_bill():
    bill = BLANK.copy()
    bill["lines"] = []
    return bill


def add_line(bill, text, number, cents):
    bill["lines"].append("%d x %s = %d" % (number, text, number * cents))
    bill["total"] += number * cents


def family_price(persons):
    if persons.get("adult", 0) == 2 and persons.get("child", 0) >= 2:
        return 2800
    return 0


class Admission(GraphBusNode):
    @subscribe("/Museum/Till")
    def on_group(self, day: str, persons: dict[str, int], extras: list[str]) -> dict[str, object]:
        bill = new_bill()
        free = day.lower() in FREE_DAYS
        family = family_price(persons)
        count = 0
        for kind in sorted(persons):
            number = persons[kind]
            count += number
            if free or kind not in PRICES:
                add_line(bill, kind, number, 0)
            elif not (family and kind in ("adult", "child")):
                add_line(bill, kind, number, PRICES[kind])
        if family and not free:
            add_line(bill, "family", 1, family)
        for extra in extras:
            add_line(bill, extra, count, EXTRAS.get(extra, 0))
        if count >= 10:
            bill["hint"] = "ask for a guide"
        return bill
