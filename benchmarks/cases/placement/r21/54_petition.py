# pure
"""Keeps nothing: signatures are grouped and numbered inside the event that brings them."""
from itertools import count, groupby
from typing import Iterable, Iterator

from graphbus_core import GraphBusNode, subscribe

Row = tuple[str, str]


def rows(names: Iterable[str], districts: Iterable[str]) -> Iterator[Row]:
    for name, district in zip(names, districts):
        name = " ".join(name.split()).title()
        if name:
            yield district.strip().lower() or "elsewhere", name


def unique(source: Iterable[Row]) -> Iterator[Row]:
    seen: set[Row] = set()
    for row in source:
        if row not in seen:
            seen.add(row)
            yield row


def numbered(source: Iterable[Row]) -> Iterator[tuple[str, str]]:
    numbers = count(1)
    for district, name in source:
        yield district, f"{next(numbers)}. {name}"


class Petition(GraphBusNode):
    def __init__(self, quorum: int = 3) -> None:
        super().__init__()
        self.quorum = quorum

    @subscribe("/Petition/ListReceived")
    def on_list(self, title: str, names: list[str], districts: list[str]) -> dict[str, object]:
        lines = list(numbered(unique(sorted(rows(names, districts)))))
        grouped = {key: [text for _, text in group] for key, group in groupby(lines, key=lambda line: line[0])}
        valid = sum(len(group) for key, group in grouped.items() if key != "elsewhere")
        return {"title": title, "lists": grouped, "quorum": valid >= self.quorum}
