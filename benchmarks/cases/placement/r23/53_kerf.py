# stateful
"""The width of the saw blade is put into the environment by one event and read from it by another."""
import os

from graphbus_core import GraphBusNode, subscribe

BLADES = {"fine": "2.2", "universal": "3.2", "rip": "4.4"}


def setting(name, default):
    return float(os.environ.get("WORKSHOP_" + name, default))


def put(name, value):
    os.environ["WORKSHOP_" + name] = value


def cuts(length, piece, kerf):
    n = 0
    left = length
    while left >= piece:
        left = left - piece - kerf
        n += 1
    return n, max(left, 0.0)


class Saw(GraphBusNode):
    @subscribe("/Saw/Cut")
    def on_cut(self, length: float, piece: float) -> dict:
        if piece <= 0:
            return {"pieces": 0, "rest": length}
        n, rest = cuts(length, piece, setting("KERF", "3.2"))
        return {"pieces": n, "rest": round(rest, 1)}

    @subscribe("/Saw/Blade")
    def on_blade(self, blade: str, teeth: int) -> dict:
        if blade in BLADES:
            put("KERF", BLADES[blade])
        return {"feed": round(18.0 / max(teeth, 1) * 60, 1), "known": blade in BLADES}
