# stateful
"""Keeps the separator of the last well-formed manifest in the csv module's register of dialects."""
import csv
import io
from collections import Counter

from graphbus_core import GraphBusNode, subscribe

csv.register_dialect("manifest", "excel")


def learn(text: str) -> None:
    head = text.partition("\n")[0]
    try:
        found = csv.Sniffer().sniff(head, delimiters=";|\t")
    except csv.Error:
        return
    csv.register_dialect("manifest", found)


def rows(text: str) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text), dialect="manifest")
    return [[cell.strip() for cell in row] for row in reader if any(row)]


class ManifestFeed(GraphBusNode):
    """Counts the pieces of an air cargo manifest by destination."""

    def __init__(self) -> None:
        super().__init__()
        self.required = 2

    @subscribe("/Cargo/Manifest")
    def on_manifest(self, flight: str, text: str) -> dict[str, object]:
        learn(text)
        pieces: Counter[str] = Counter()
        short = 0
        for row in rows(text):
            if len(row) < self.required or not row[1].isdigit():
                short += 1
                continue
            pieces[row[0].upper()] += int(row[1])
        return {"flight": flight, "pieces": dict(sorted(pieces.items())), "short": short}
