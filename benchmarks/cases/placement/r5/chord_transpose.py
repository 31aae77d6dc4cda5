# pure
"""Keeps nothing: the transposing function is a closure made for one sheet, and its replacements are counted there."""
import re
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

SHARP = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
FLAT = ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")
PITCH = {name: number for names in (SHARP, FLAT) for number, name in enumerate(names)}
CHORD = re.compile(r"\[([A-G][#b]?)([^\]/]*)(?:/([A-G][#b]?))?\]")


def transposer(steps: int, flats: bool) -> tuple[Callable[[re.Match], str], Callable[[], int]]:
    names = FLAT if flats else SHARP
    changed = 0

    def note(name: str) -> str:
        if name not in PITCH:
            return name
        return names[(PITCH[name] + steps) % 12]

    def chord(match: re.Match) -> str:
        nonlocal changed
        changed += 1
        root, kind, bass = match.groups()
        return f"[{note(root)}{kind}" + (f"/{note(bass)}]" if bass else "]")

    return chord, lambda: changed


class ChordTranspose(GraphBusNode):
    """Moves the chords of a song sheet up or down."""

    @subscribe("/Song/Transpose")
    def on_transpose(self, sheet: str, steps: int, flats: bool = False) -> dict[str, object]:
        chord, count = transposer(steps, flats)
        moved = "\n".join(CHORD.sub(chord, line) for line in sheet.splitlines())
        return {"sheet": moved, "chords": count(), "capo": -steps % 12 if -steps % 12 <= 7 else None}
