# pure
"""Keeps a line buffer in the module, but empties it before every receipt."""
from graphbus_core import GraphBusNode, subscribe

WIDTH = 30
buf = []


def put(text=""):
    buf.append(text)


def put_row(left, right):
    gap = WIDTH - len(left) - len(right)
    put(left + " " * max(gap, 1) + right)


def money(cents):
    return "%d.%02d" % (cents // 100, cents % 100)


def print_receipt(names, prices):
    del buf[:]
    put("CORNER SHOP".center(WIDTH))
    put("=" * WIDTH)
    total = 0
    for name, price in zip(names, prices):
        put_row(name[:18], money(price))
        total += price
    put("-" * WIDTH)
    put_row("TOTAL", money(total))
    if total > 5000:
        put("thank you, please ask for")
        put("a signature")
    return "\n".join(buf)


class Till(GraphBusNode):
    @subscribe("/till/close")
    def on_close(self, items: list[str], prices: list[int]) -> dict:
        if not items:
            return {"receipt": ""}
        return {"receipt": print_receipt(items, prices), "lines": len(buf)}
