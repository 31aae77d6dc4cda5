from dataclasses import field, make_dataclass
from datetime import date
from enum import Enum
from typing import Optional

from graphbus_core import GraphBusNode, subscribe

Tier = Enum("Tier", {"BASIC": "basic", "PLUS": "plus"})
Level = Enum("Level", "LOW HIGH")

Account = make_dataclass("Account", [("iban", str), ("tier", Tier), ("level", Optional[Level], None)])
Statement = make_dataclass(
    "Statement",
    [
        ("account", Account),
        ("day", date),
        ("entries", list[tuple[str, float]], field(default_factory=list)),
        "remark",
    ],
    kw_only=True,
    frozen=True,
)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Statement) -> None: ...


GOOD = [
    {"account": {"iban": "NO1", "tier": "basic"}, "day": "2024-01-31", "remark": None},
    {"account": {"iban": "NO1", "tier": "plus", "level": 2}, "day": "2024-01-31", "remark": {"any": "thing"},
     "entries": [["rent", -900.5], ["pay", 3000]]},
    {"account": {"iban": "NO1", "tier": "plus", "level": None}, "day": "2024-01-31", "remark": 5, "entries": []},
]
BAD = [
    {"account": {"iban": "NO1", "tier": "basic"}, "day": "2024-01-31"},
    {"account": {"iban": "NO1", "tier": "BASIC"}, "day": "2024-01-31", "remark": ""},
    {"account": {"iban": "NO1", "tier": "basic", "level": 3}, "day": "2024-01-31", "remark": ""},
    {"account": {"iban": "NO1", "tier": "basic", "level": "LOW"}, "day": "2024-01-31", "remark": ""},
    {"account": {"iban": "NO1", "tier": "basic"}, "day": "2024-01-31", "remark": "", "entries": [["rent"]]},
    {"account": {"iban": "NO1", "tier": "basic"}, "day": "31.01.2024", "remark": ""},
]
