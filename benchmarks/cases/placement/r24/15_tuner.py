# stateful
"""The concert pitch is a cached property worked out from the first A that is played."""
import math
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe

NAMES = ["A", "A#", "B", "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#"]


class Tuner(GraphBusNode):
    tolerance = 6  # cents

    def __init__(self):
        super().__init__()
        self.heard = 440.0

    @cached_property
    def pitch(self):
        # orchestras do not all tune to 440, go by what is in the room
        octaves = round(math.log2(self.heard / 440.0))
        base = self.heard / 2 ** octaves
        return base if 430 <= base <= 450 else 440.0

    def nearest(self, hertz):
        exact = 12 * math.log2(hertz / self.pitch)
        step = round(exact)
        return NAMES[step % 12], 100 * (exact - step)

    @subscribe("/strings/bowed")
    def on_bowed(self, hertz: float, string: str) -> dict:
        self.heard = hertz
        name, cents = self.nearest(hertz)
        if abs(cents) <= self.tolerance:
            advice = "ok"
        else:
            advice = "down" if cents > 0 else "up"
        return {
            "string": string,
            "note": name,
            "cents": round(cents, 1),
            "advice": advice if name == string else f"far from {string}",
        }
