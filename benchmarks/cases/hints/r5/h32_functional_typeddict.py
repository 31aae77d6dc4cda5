from typing import List, NotRequired, Optional, TypedDict
from graphbus_core import GraphBusNode, subscribe

Headers = TypedDict("Headers", {"content-type": str, "x-retries": NotRequired[int]})
Part = TypedDict("Part", {"class": str, "from": "Optional[Part]", "$ref": bool}, total=False)
Mail = TypedDict("Mail", {"headers": Headers, "body": "List[Part]", "in": "str"})


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Mail) -> None: ...


GOOD = [
    {"headers": {"content-type": "t"}, "body": [], "in": "x"},
    {"headers": {"content-type": "t", "x-retries": 0}, "body": [{}, {"class": "c", "from": None, "$ref": True}], "in": ""},
    {"headers": {"content-type": "t"}, "body": [{"from": {"from": {"class": "c"}}}], "in": "x"},
]
BAD = [
    {"headers": {"content_type": "t"}, "body": [], "in": "x"},
    {"headers": {"content-type": "t", "x-retries": "0"}, "body": [], "in": "x"},
    {"headers": {"content-type": "t"}, "body": []},
    {"headers": {"content-type": "t"}, "body": [{"from": {"from": {"class": 1}}}], "in": "x"},
    {"headers": {"content-type": "t"}, "body": [{"$ref": None}], "in": "x"},
    {"headers": {"content-type": "t"}, "body": {"class": "c"}, "in": "x"},
]
