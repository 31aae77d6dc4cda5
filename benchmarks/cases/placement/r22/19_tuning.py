# pure
"""A memo table on the node saves the sums of a fixed formula."""
import re
from math import log2

from graphbus_core import GraphBusNode, subscribe

STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
NOTE = re.compile(r"^(?P<letter>[A-G])(?P<sign>[#b]?)(?P<octave>\d)$")


def semitone(note: str) -> int:
    match = NOTE.match(note)
    if match is None:
        raise ValueError(note)
    shift = {"#": 1, "b": -1, "": 0}[match["sign"]]
    return 12 * (int(match["octave"]) - 4) + STEPS[match["letter"]] + shift - 9


class Memo(dict):
    def __missing__(self, key: tuple[str, float]) -> float:
        note, pitch = key
        self[key] = hertz = pitch * 2 ** (semitone(note) / 12)
        return hertz


class Tuner(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.hertz = Memo()

    @subscribe("/Note")
    def on_note(self, note: str, pitch: float, reading: float) -> dict[str, object]:
        wanted = self.hertz[note, pitch]
        cents = 1200 * log2(reading / wanted)
        hint = "ok" if abs(cents) < 4 else "lower" if cents > 0 else "raise"
        return {"note": note, "hertz": round(wanted, 2), "cents": round(cents, 1), "hint": hint}
