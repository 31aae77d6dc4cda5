# stateful
"""An unknown genre becomes a new member of the enumeration, numbered in order of arrival."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Genre(Enum):
    JAZZ = "jazz"
    FOLK = "folk"
    OPERA = "opera"

    @classmethod
    def _missing_(cls, value: object) -> "Genre | None":
        if not isinstance(value, str) or not value.isalpha():
            return None
        if value != value.lower():
            return cls(value.lower())
        member = object.__new__(cls)
        member._name_, member._value_ = value.upper(), value
        return cls._value2member_map_.setdefault(value, member)

    @property
    def shelf(self) -> int:
        return 1 + list(type(self)._value2member_map_).index(self.value)


class RecordShelf(GraphBusNode):
    @subscribe("/Shop/Record")
    def on_record(self, title: str, genre: str) -> dict[str, object]:
        try:
            kind = Genre(genre.strip())
        except ValueError:
            return {"title": title, "shelf": "counter"}
        return {"title": title, "shelf": kind.shelf, "genre": kind.name}
