# pure
"""Grid and slots are built for each puzzle, so the numbering starts again each time."""
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, order=True)
class Slot:
    number: int
    direction: str
    word: str


class Judge(Protocol):
    def complaints(self, slots: list[Slot]) -> list[str]: ...


@dataclass
class NoRepeats:
    seen: dict[str, Slot] = field(default_factory=dict)

    def complaints(self, slots: list[Slot]) -> list[str]:
        self.seen.clear()
        found: list[str] = []
        for slot in slots:
            other = self.seen.setdefault(slot.word, slot)
            if other is not slot:
                found.append(f"{slot.word} stands at {other.number} and {slot.number}")
        return found


@dataclass
class Grid:
    rows: list[str]
    numbers: dict[tuple[int, int], int] = field(default_factory=dict)

    def runs(self, lines: list[str], across: bool) -> Iterator[tuple[tuple[int, int], str]]:
        for major, line in enumerate(lines):
            start = 0
            for word in line.split("#"):
                if len(word) > 1:
                    yield ((major, start) if across else (start, major)), word
                start += len(word) + 1

    def slots(self) -> list[Slot]:
        columns = ["".join(column) for column in zip(*self.rows)]
        across = list(self.runs(self.rows, True))
        down = list(self.runs(columns, False))
        for cell in sorted({cell for cell, _ in across + down}):
            self.numbers[cell] = len(self.numbers) + 1
        return sorted([Slot(self.numbers[cell], "across", word) for cell, word in across]
                      + [Slot(self.numbers[cell], "down", word) for cell, word in down])


class CrosswordCheck(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._judges: list[Judge] = [NoRepeats()]

    @subscribe("/Paper/Puzzles")
    def on_puzzle(self, rows: list[str]) -> dict[str, object]:
        slots = Grid([row.upper() for row in rows]).slots()
        clues = [f"{slot.number} {slot.direction}: {slot.word}" for slot in slots]
        found = [text for judge in self._judges for text in judge.complaints(slots)]
        return {"clues": clues, "complaints": found}
