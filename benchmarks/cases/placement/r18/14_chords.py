# pure
"""Keeps nothing: the deque that is turned is a fresh copy of the scale for each chord."""
from __future__ import annotations

import re
from collections import deque

from graphbus_core import GraphBusNode, subscribe

SHARPS = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
FLATS = {"Db": "C#", "Eb": "D#", "Gb": "F#", "Ab": "G#", "Bb": "A#", "Cb": "B", "Fb": "E"}
SHAPES = {"": (0, 4, 7), "m": (0, 3, 7), "7": (0, 4, 7, 10), "maj7": (0, 4, 7, 11), "m7": (0, 3, 7, 10),
          "dim": (0, 3, 6), "sus4": (0, 5, 7)}
CHORD = re.compile(r"^([A-G][#b]?)(maj7|m7|m|7|dim|sus4|)(?:/([A-G][#b]?))?$")


def canonical(note: str) -> str:
    return FLATS.get(note, note)


def scale_from(root: str) -> list[str]:
    ring = deque(SHARPS)
    ring.rotate(-SHARPS.index(canonical(root)))
    return list(ring)


def spell(symbol: str, shift: int = 0) -> list[str]:
    found = CHORD.match(symbol)
    if not found or canonical(found[1]) not in SHARPS:
        raise ValueError(f"not a chord: {symbol}")
    root, shape, bass = found.groups()
    notes = [scale_from(scale_from(root)[shift % 12])[step] for step in SHAPES[shape]]
    if bass:
        low = scale_from(bass)[shift % 12]
        notes = [low] + [n for n in notes if n != low]
    return notes


def transpose(symbol: str, shift: int) -> str:
    head, slash, bass = symbol.partition("/")
    root, shape, _ = CHORD.match(head).groups()
    moved = scale_from(root)[shift % 12] + shape
    return moved + (slash + scale_from(bass)[shift % 12] if bass else "")


class Songbook(GraphBusNode):
    @subscribe("/Band/Line")
    def on_line(self, chords: str, capo: int) -> dict[str, object]:
        sheet, wrong = [], []
        for symbol in chords.replace("|", " ").split():
            try:
                sheet.append({"chord": transpose(symbol, -capo), "notes": spell(symbol, -capo)})
            except (ValueError, AttributeError):
                wrong.append(symbol)
        return {"sheet": sheet, "wrong": wrong}
