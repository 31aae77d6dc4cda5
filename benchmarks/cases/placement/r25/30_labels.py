# stateful
"""Keeps a serial number in a module variable that goes up with each printed label."""
import string

from graphbus_core import GraphBusNode, subscribe

_serial = 1000
ALPHABET = string.digits + string.ascii_uppercase


def check_char(text):
    total = 0
    for i, ch in enumerate(text):
        pos = ALPHABET.find(ch)
        if pos >= 0:
            total += pos * (3 if i % 2 else 1)
    return ALPHABET[total % 36]


def make_code(prefix):
    global _serial
    code = f"{prefix[:3].upper():X<3}{_serial:06d}"
    _serial += 1
    return code + check_char(code)


def render(lines, width=24):
    bar = "+" + "-" * width + "+"
    out = [bar]
    for line in lines:
        out.append("|" + line[:width].ljust(width) + "|")
    out.append(bar)
    return "\n".join(out)


class LabelPrinter(GraphBusNode):

    @subscribe("/warehouse/label")
    def print_label(self, sku: str, quantity: int) -> dict:
        if quantity < 1:
            return {"label": None, "reason": "nothing to label"}
        code = make_code(sku)
        return {"label": render([sku, "QTY %d" % quantity, code])}
