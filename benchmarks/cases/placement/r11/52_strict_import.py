# stateful
"""Switches itself to strict reading inside a with block without finally; after a bad record it stays strict."""
from contextlib import contextmanager

from graphbus_core import GraphBusNode, subscribe


class Reader:
    def __init__(self) -> None:
        self.strict = False
        self.fill = "0"

    @contextmanager
    def mode(self, strict: bool):
        before = self.strict
        self.strict = strict or before
        yield self
        self.strict = before

    def number(self, text: str) -> int:
        cleaned = text.strip()
        if not self.strict:
            cleaned = cleaned.replace(" ", "").replace("'", "") or self.fill
        if not cleaned.isdigit():
            raise ValueError(f"not a number: {text!r}")
        return int(cleaned)


class StrictImport(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._reader = Reader()

    @subscribe("/Census/Row")
    def on_row(self, district: str, counts: list[str], certified: bool) -> dict:
        try:
            with self._reader.mode(strict=certified) as reader:
                numbers = [reader.number(text) for text in counts]
        except ValueError as error:
            return {"district": district, "error": str(error)}
        share = max(numbers, default=0) * 100 // (sum(numbers) or 1)
        return {"district": district, "sum": sum(numbers), "largest": share}
