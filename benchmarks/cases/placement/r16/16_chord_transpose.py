# pure
"""Keeps compiled patterns and a memo of parsed chords, neither of which changes an answer."""
import re
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

SHARPS = "C C# D D# E F F# G G# A A# B".split()
FLATS = "C Db D Eb E F Gb G Ab A Bb B".split()
INDEX = {name: number for names in (SHARPS, FLATS) for number, name in enumerate(names)}
CHORD = re.compile(r"(?P<root>[A-G][#b]?)(?P<quality>(?:maj|min|m|dim|sus|add|aug)?\d*)(?:/(?P<bass>[A-G][#b]?))?$")


@dataclass(frozen=True)
class Chord:
    root: int
    quality: str
    bass: int | None

    def moved(self, steps: int) -> "Chord":
        bass = None if self.bass is None else (self.bass + steps) % 12
        return Chord((self.root + steps) % 12, self.quality, bass)

    def spelled(self, flats: bool) -> str:
        names = FLATS if flats else SHARPS
        return names[self.root] + self.quality + ("" if self.bass is None else f"/{names[self.bass]}")


class ChordBook:
    def __init__(self) -> None:
        self._memo: dict[str, Chord | None] = {}

    def __getitem__(self, text: str) -> Chord | None:
        if text not in self._memo:
            match = CHORD.match(text)
            if match is None or match["root"] not in INDEX:
                self._memo[text] = None
            else:
                bass = match["bass"]
                self._memo[text] = Chord(INDEX[match["root"]], match["quality"], INDEX.get(bass) if bass else None)
        return self._memo[text]


class ChordTranspose(GraphBusNode):
    book = ChordBook()

    @subscribe("/Song/Transpose")
    def on_song(self, title: str, line: str, steps: int) -> dict[str, object]:
        flats = "b" in line
        moved, unknown = [], []
        for token in line.split():
            chord = self.book[token]
            if chord is None:
                unknown.append(token)
            moved.append(token if chord is None else chord.moved(steps).spelled(flats))
        return {"title": title.title(), "line": " ".join(moved), "unknown": unknown}
