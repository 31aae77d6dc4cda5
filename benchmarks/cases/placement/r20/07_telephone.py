# stateful
"""Rates phone calls; the meter is a closure that goes on counting the free minutes already used."""
import math
import re
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

ZONES = [("+4989", "local", 2), ("+49", "national", 4), ("+43", "near", 9), ("+", "world", 39)]
NON_DIGITS = re.compile(r"[^\d+]")


def normalise(number: str) -> str:
    plain = NON_DIGITS.sub("", number)
    if plain.startswith("00"):
        return "+" + plain[2:]
    if plain.startswith("0"):
        return "+49" + plain[1:]
    return plain if plain.startswith("+") else "+4989" + plain


def zone_of(number: str) -> tuple[str, int]:
    for prefix, name, cents in ZONES:
        if number.startswith(prefix):
            return name, cents
    return "world", 39


def make_meter(free: int) -> Callable[[int], int]:
    """A function that says how many of the minutes given have to be paid."""
    left = free

    def payable(minutes: int) -> int:
        nonlocal left
        covered = min(left, minutes)
        left -= covered
        return minutes - covered

    return payable


METERS = {"local": make_meter(30), "national": make_meter(10)}


class CallRating(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.minimum_seconds = 3

    @subscribe("/Telephone/CallEnded")
    def on_call(self, callee: str, seconds: int) -> dict[str, object]:
        number = normalise(callee)
        zone, cents = zone_of(number)
        minutes = math.ceil(seconds / 60) if seconds >= self.minimum_seconds else 0
        meter = METERS.get(zone, int)
        return {"callee": number, "zone": zone, "minutes": minutes, "cents": meter(minutes) * cents}
