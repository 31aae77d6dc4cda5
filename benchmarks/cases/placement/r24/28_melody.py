# stateful
"""Relative octaves: each note is placed nearest to the previous one, and the reader keeps that note between lines."""
import re
from graphbus_core import GraphBusNode, subscribe

STEPS = {"c": 0, "d": 1, "e": 2, "f": 3, "g": 4, "a": 5, "b": 6}
SEMITONES = (0, 2, 4, 5, 7, 9, 11)
NOTE = re.compile(r"(?P<name>[a-g])(?P<marks>[',]*)")


class RelativeReader:
    def __init__(self, start=28):
        self.at = start

    def place(self, name, marks):
        step = STEPS[name]
        low = self.at - 3
        # the one diatonic position within a fourth of where we are
        pos = low + (step - low) % 7
        pos += 7 * (marks.count("'") - marks.count(","))
        self.at = pos
        return pos

    def read(self, text):
        return [self.place(m["name"], m["marks"]) for m in NOTE.finditer(text)]


def to_midi(position):
    octave, step = divmod(position, 7)
    return 12 * (octave + 1) + SEMITONES[step]


class Melody(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.read = RelativeReader().read

    @subscribe("/score/line")
    def on_line(self, line: str) -> list[int]:
        return [to_midi(p) for p in self.read(line.lower())]
