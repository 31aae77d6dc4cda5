from typing import Dict, List, TypedDict, Union

from graphbus_core import GraphBusNode, subscribe

Text = Dict[str, Union[str, "Text"]]
Filter = Union["AllOf", "AnyOf", "Equals"]
AllOf = TypedDict("AllOf", {"all": List["Filter"]})
AnyOf = TypedDict("AnyOf", {"any": List["Filter"]})
Equals = TypedDict("Equals", {"field": str, "eq": Union[str, int, None]})


class SavedSearch(TypedDict):
    name: str
    filter: Filter
    labels: Text


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: SavedSearch) -> None: ...


GOOD = [
    {"name": "s", "filter": {"field": "x", "eq": None}, "labels": {}},
    {"name": "s", "filter": {"all": []}, "labels": {"en": "Search", "sub": {"de": "Suche", "more": {}}}},
    {"name": "s", "filter": {"all": [{"any": [{"field": "x", "eq": 1}, {"all": []}]}, {"field": "y", "eq": "z"}]},
     "labels": {"a": {"b": {"c": "d"}}}},
]
BAD = [
    {"name": "s", "filter": {"field": "x", "eq": 1.5}, "labels": {}},
    {"name": "s", "filter": {"all": [{"any": [{"field": "x"}]}]}, "labels": {}},
    {"name": "s", "filter": {"not": []}, "labels": {}},
    {"name": "s", "filter": {"all": []}, "labels": {"a": {"b": {"c": 1}}}},
    {"name": "s", "filter": {"all": []}, "labels": {"a": ["b"]}},
    {"name": "s", "filter": {"any": None}, "labels": {}},
]
