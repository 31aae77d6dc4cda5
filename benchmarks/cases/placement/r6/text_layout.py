# pure
"""Lines come from a pool and go back to it, and taking one sets everything a line has."""
from graphbus_core import GraphBusNode, subscribe


class Row:
    __slots__ = ("words", "used", "last")

    def reset(self) -> "Row":
        self.words: list[str] = []
        self.used = 0
        self.last = False
        return self

    def fits(self, word: str, width: int) -> bool:
        return not self.words or self.used + 1 + len(word) <= width

    def add(self, word: str) -> None:
        self.used += len(word) + bool(self.words)
        self.words.append(word)

    def justified(self, width: int) -> str:
        gaps = len(self.words) - 1
        if self.last or gaps < 1:
            return " ".join(self.words)
        spare = width - self.used
        return "".join(
            word + " " * (1 + spare // gaps + (place < spare % gaps)) if place < gaps else word
            for place, word in enumerate(self.words)
        )


class TextLayout(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._spare: list[Row] = []

    def _row(self) -> Row:
        return (self._spare.pop() if self._spare else Row()).reset()

    @subscribe("/text/justify")
    def on_justify(self, text: str, width: int) -> dict[str, list[str]]:
        rows = [self._row()]
        for word in text.split():
            if not rows[-1].fits(word, width):
                rows.append(self._row())
            rows[-1].add(word)
        rows[-1].last = True
        lines = [row.justified(width) for row in rows]
        self._spare.extend(rows)
        return {"lines": lines}
