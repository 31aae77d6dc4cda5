"""Unions of scalars and containers: no silent conversion between members."""
from typing import Dict, List, TypedDict, Union

from graphbus_core import GraphBusNode, subscribe


class Cell(TypedDict):
    int_or_str: int | str
    float_or_none: float | None
    bool_or_str: Union[bool, str]
    lists: Union[List[int], List[str]]
    deep: Union[None, int, Dict[str, Union[int, List["Cell"]]]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Cell) -> None: ...


GOOD = [
    {"int_or_str": 1, "float_or_none": 1, "bool_or_str": True, "lists": [1, 2], "deep": None},
    {"int_or_str": "1", "float_or_none": None, "bool_or_str": "True", "lists": ["1", "2"], "deep": 4},
    {"int_or_str": 1, "float_or_none": 0.5, "bool_or_str": False, "lists": [], "deep": {"a": 1, "b": []}},
]
BAD = [
    {"int_or_str": True, "float_or_none": 1, "bool_or_str": True, "lists": [], "deep": None},
    {"int_or_str": 1.5, "float_or_none": 1, "bool_or_str": True, "lists": [], "deep": None},
    {"int_or_str": 1, "float_or_none": "1.5", "bool_or_str": True, "lists": [], "deep": None},
    {"int_or_str": 1, "float_or_none": 1, "bool_or_str": 0, "lists": [], "deep": None},
    {"int_or_str": 1, "float_or_none": 1, "bool_or_str": True, "lists": [1, "2"], "deep": None},
    {"int_or_str": 1, "float_or_none": 1, "bool_or_str": True, "lists": [], "deep": {"b": [{}]}},
]
