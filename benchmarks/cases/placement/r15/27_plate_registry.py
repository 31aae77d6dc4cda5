# pure
"""Keeps one object for the whole process, made when first asked for; what it knows are constants."""
from __future__ import annotations

import re
import threading
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe

RAW = """
D  1-3 1-2 1-4  Germany
F  2-2 3-3 2-2  France
I  2-2 3-3 2-2  Italy
S  3-3 2-2 0-1  Sweden
"""


class Registry:
    _instance: ClassVar[Registry | None] = None
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def __new__(cls) -> Registry:
        with cls._lock:
            if cls._instance is None:
                made = super().__new__(cls)
                made._load()
                cls._instance = made
            return cls._instance

    def _load(self) -> None:
        self.rows: dict[str, tuple[list[tuple[int, int]], str]] = {}
        for line in RAW.strip().splitlines():
            code, *parts, country = line.split()
            spans = [tuple(map(int, part.split("-"))) for part in parts]
            self.rows[code] = (spans, country)

    def match(self, groups: list[str]) -> list[str]:
        hits = []
        for spans, country in self.rows.values():
            lengths = [len(group) for group in groups] + [0] * (len(spans) - len(groups))
            if len(groups) <= len(spans) and all(low <= got <= high for (low, high), got in zip(spans, lengths)):
                hits.append(country)
        return hits


class PlateRegistry(GraphBusNode):
    @subscribe("/Toll/Plate")
    def on_plate(self, gate: int, plate: str) -> dict[str, object]:
        groups = re.findall(r"[A-ZÄÖÜ]+|\d+", plate.upper())
        countries = Registry().match(groups)
        return {"gate": gate, "plate": " ".join(groups), "countries": countries, "sure": len(countries) == 1}
