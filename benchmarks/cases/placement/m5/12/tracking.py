from itertools import count

from graphbus_core import GraphBusNode, subscribe

from tariffs import COUNTRIES

WEIGHTS = (8, 6, 4, 2, 3, 5, 9, 7)


def check_digit(serial):
    total = sum(int(d) * w for d, w in zip(f"{serial:08}", WEIGHTS))
    return {10: 0, 11: 5}.get(11 - total % 11, 11 - total % 11)


class LabelPrinter(GraphBusNode):
    serials = {c: count(10_000_000 * i + 17) for i, c in enumerate(COUNTRIES, 1)}

    @subscribe("/Post/Label")
    def on_label(self, country: str, kind: str) -> str:
        if country not in self.serials:
            return ""
        n = next(self.serials[country])
        return f"{kind}{n:08}{check_digit(n)}NL"


class LabelCheck(GraphBusNode):
    @subscribe("/Post/LabelCheck")
    def on_scan(self, label: str) -> dict:
        kind, serial, digit, land = label[:2], label[2:10], label[10:11], label[11:]
        if not (kind.isalpha() and serial.isdigit() and digit.isdigit()):
            return {"ok": False, "known": False}
        return {"ok": check_digit(int(serial)) == int(digit), "known": land in COUNTRIES}
