# stateful
"""All orders are parsed into the same argparse namespace, whose values of the last order stand where an option is missing."""
from __future__ import annotations

import argparse
import shlex

from graphbus_core import GraphBusNode, subscribe

PRICES = {"espresso": 210, "latte": 340, "tea": 190, "cocoa": 300}
SIZES = {"s": -40, "m": 0, "l": 60}


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kiosk", exit_on_error=False, add_help=False)
    parser.add_argument("drink", choices=sorted(PRICES))
    parser.add_argument("--size", choices=sorted(SIZES), default="m")
    parser.add_argument("--milk", default="cow")
    parser.add_argument("--shots", type=int, default=1)
    parser.add_argument("--to-go", action="store_true")
    return parser


def price(order: argparse.Namespace) -> int:
    cents = PRICES[order.drink] + SIZES[order.size] + 50 * (order.shots - 1)
    if order.milk in ("oat", "soy"):
        cents += 45
    return cents if not order.to_go else round(cents * 0.95)


class Kiosk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = make_parser()
        self.defaults = argparse.Namespace()

    @subscribe("/Kiosk/Line")
    def on_line(self, text: str) -> dict[str, object]:
        try:
            order = self.parser.parse_args(shlex.split(text), namespace=self.defaults)
        except (argparse.ArgumentError, ValueError) as problem:
            return {"error": str(problem)}
        cents = price(order)
        return {"ticket": f"{order.size.upper()} {order.drink}, {order.milk} milk", "total": f"{cents / 100:.2f}"}
