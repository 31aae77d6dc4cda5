# pure
"""The table of shapes is a cached property, but what it holds depends on constants alone."""
from functools import cached_property
from graphbus_core import GraphBusNode, subscribe

SHARP = "C C# D D# E F F# G G# A A# B".split()
FLAT = "C Db D Eb E F Gb G Ab A Bb B".split()
SHAPES = {
    "": "0 4 7", "m": "0 3 7", "dim": "0 3 6", "aug": "0 4 8",
    "7": "0 4 7 10", "maj7": "0 4 7 11", "m7": "0 3 7 10", "sus4": "0 5 7",
}


def number(name):
    try:
        return SHARP.index(name)
    except ValueError:
        return FLAT.index(name)


class ChordNamer(GraphBusNode):
    @cached_property
    def shapes(self):
        table = {}
        for suffix, spec in SHAPES.items():
            table[frozenset(map(int, spec.split()))] = suffix
        return table

    def candidates(self, pitches):
        for root in sorted(pitches):
            shape = frozenset((p - root) % 12 for p in pitches)
            if shape in self.shapes:
                yield root, self.shapes[shape]

    @subscribe("/keys/pressed")
    def on_pressed(self, notes: list[str], flats: bool) -> dict:
        pitches = {number(n) for n in notes}
        names = FLAT if flats else SHARP
        bass = number(notes[0])
        out = []
        for root, suffix in self.candidates(pitches):
            chord = names[root] + suffix
            out.append(chord if root == bass else f"{chord}/{names[bass]}")
        return {"chords": out, "root_position": any("/" not in c for c in out)}
