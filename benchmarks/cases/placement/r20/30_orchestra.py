# pure
"""Transposes written notes for an instrument; tables are built once and only read."""
import re
from enum import IntEnum

from graphbus_core import GraphBusNode, subscribe


class Step(IntEnum):
    C = 0
    D = 2
    E = 4
    F = 5
    G = 7
    A = 9
    B = 11


NOTE = re.compile(r"^([A-G])(#{1,2}|b{1,2})?(-?\d)$")
SHARP_NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
FLAT_NAMES = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]
# semitones by which the instrument sounds lower than written
INSTRUMENTS = {"flute": (0, 60, 96), "clarinet in b": (2, 52, 94), "horn in f": (7, 41, 84), "piccolo": (-12, 62, 96), "double bass": (12, 40, 67)}


def midi(note: str) -> int:
    match = NOTE.match(note)
    if match is None:
        raise ValueError(note)
    letter, accidental, octave = match.groups(default="")
    shift = accidental.count("#") - accidental.count("b")
    return 12 * (int(octave) + 1) + Step[letter] + shift


def spell(number: int, flats: bool) -> str:
    octave, pitch = divmod(number, 12)
    return (FLAT_NAMES if flats else SHARP_NAMES)[pitch] + str(octave - 1)


def frequency(number: int, a4: float) -> float:
    return round(a4 * 2 ** ((number - 69) / 12), 2)


class Parts(GraphBusNode):
    """Copies a concert line into the part of one player."""

    def __init__(self, a4: float = 442.0) -> None:
        super().__init__()
        self.a4 = a4
        self.ranges = {name: range(low, high + 1) for name, (_, low, high) in INSTRUMENTS.items()}

    @subscribe("/Orchestra/Line")
    def on_line(self, instrument: str, notes: list[str], flats: bool) -> dict[str, object]:
        name = instrument.lower()
        shift = INSTRUMENTS.get(name, (0, 0, 127))[0]
        written, outside = [], []
        for note in notes:
            try:
                number = midi(note) + shift
            except ValueError as exc:
                written.append(f"<{exc}>")
                continue
            written.append(spell(number, flats))
            if number not in self.ranges.get(name, range(128)):
                outside.append(note)
        lowest = min((midi(n) for n in notes if NOTE.match(n)), default=None)
        return {
            "part": " ".join(written),
            "outside": outside,
            "lowest_hz": frequency(lowest, self.a4) if lowest is not None else None,
        }
