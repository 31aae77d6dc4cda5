# stateful
"""Keeps new members of an Enum that _missing_ puts into the enum's own value table, numbered as they come."""
from __future__ import annotations

from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Channel(Enum):
    MAIL = "mail"
    PHONE = "phone"

    @classmethod
    def _missing_(cls, value: object) -> Channel | None:
        if not isinstance(value, str) or not value.isidentifier():
            return None
        member = object.__new__(cls)
        member._name_ = value.upper()
        member._value_ = value
        return cls._value2member_map_.setdefault(value, member)

    @property
    def lane(self) -> int:
        return list(type(self)._value2member_map_).index(self.value)


class Lanes(GraphBusNode):
    @subscribe("/Contact/Made")
    def on_event(self, via: str) -> dict[str, object]:
        try:
            channel = Channel(via.strip().lower())
        except ValueError:
            return {"channel": None, "lane": -1}
        return {"channel": channel.name, "lane": channel.lane}
