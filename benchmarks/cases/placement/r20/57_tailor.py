# stateful
"""Reads measuring slips as command lines; all slips are parsed into one namespace, which keeps old options."""
import argparse
import shlex

from graphbus_core import GraphBusNode, subscribe

CLOTH = {"wool": 5900, "linen": 3400, "tweed": 7200}
HOURS = {"trousers": 7, "jacket": 22, "waistcoat": 9}


class SlipError(Exception):
    pass


class SlipParser(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        raise SlipError(message)


def make_parser() -> SlipParser:
    parser = SlipParser(prog="slip", add_help=False)
    parser.add_argument("garment", choices=sorted(HOURS))
    parser.add_argument("--chest", type=float, default=100.0)
    parser.add_argument("--waist", type=float, default=88.0)
    parser.add_argument("--length", type=float, default=104.0)
    parser.add_argument("--cloth", choices=sorted(CLOTH), default="wool")
    parser.add_argument("--lined", action="store_true")
    return parser


def metres(slip: argparse.Namespace) -> float:
    """Cloth of 150 cm width."""
    if slip.garment == "trousers":
        return round(slip.length / 100 + 0.25, 2)
    wide = max(slip.chest, slip.waist) > 116
    base = 1.7 if slip.garment == "jacket" else 0.8
    return round(base + (0.3 if wide else 0), 2)


class Workshop(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = make_parser()
        self.slip = argparse.Namespace()

    @subscribe("/Tailor/Slip")
    def on_slip(self, customer: str, slip: str) -> dict[str, object]:
        try:
            parsed = self.parser.parse_args(shlex.split(slip), namespace=self.slip)
        except (SlipError, ValueError) as exc:
            return {"customer": customer, "error": str(exc).split(":")[0]}
        hours = HOURS[parsed.garment] * (1.25 if parsed.lined else 1)
        cents = metres(parsed) * CLOTH[parsed.cloth] + hours * 5500
        return {"customer": customer, "metres": metres(parsed), "hours": hours, "price": f"{cents / 100:.2f}"}
