"""TypedDict by call: keys no Python name could spell."""
from typing import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe

Link = TypedDict("Link", {"$ref": str, "max-items": NotRequired[int]})
Meta = TypedDict("Meta", {"class": str, "from": "Link", "": int}, total=False)
Doc = TypedDict("Doc", {"@id": int, "has space": list[Link], "meta": Meta, "ключ": "bool"})


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Doc) -> None: ...


GOOD = [
    {"@id": 1, "has space": [], "meta": {}, "ключ": True},
    {"@id": 1, "has space": [{"$ref": "#"}], "meta": {"class": "c", "from": {"$ref": "x", "max-items": 1}}, "ключ": False},
    {"@id": 1, "has space": [], "meta": {"": 4}, "ключ": False, "id": "x"},
]
BAD = [
    {"id": 1, "has space": [], "meta": {}, "ключ": True},
    {"@id": 1, "has space": [{"ref": "#"}], "meta": {}, "ключ": True},
    {"@id": 1, "has space": [{"$ref": "#", "max-items": "1"}], "meta": {}, "ключ": True},
    {"@id": 1, "has space": [], "meta": {"from": "x"}, "ключ": True},
    {"@id": 1, "has space": [], "meta": {"": "4"}, "ключ": True},
    {"@id": 1, "has space": [], "meta": {}, "ключ": 1},
]
