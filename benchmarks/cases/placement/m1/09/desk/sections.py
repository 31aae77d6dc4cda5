from typing import NamedTuple


class Section(NamedTuple):
    key: str
    title: str
    weight: int


SECTIONS = [
    Section("pol", "Politics", 3),
    Section("spo", "Sports", 2),
    Section("cul", "Culture", 1),
]
BY_KEY = {s.key: s for s in SECTIONS}
