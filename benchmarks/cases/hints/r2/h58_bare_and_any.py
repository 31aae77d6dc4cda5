"""Bare containers and the widest types: dict, list, Any, object and None as field types."""
from typing import Any, Dict, List

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Plugin(TypedDict):
    config: dict
    args: list
    extra: Any
    opaque: object
    legacy: None
    env: Dict
    hooks: List[Dict[str, Any]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Plugin) -> None:
        self.got = payload


GOOD = [
    {"config": {}, "args": [], "extra": None, "opaque": 1, "legacy": None, "env": {}, "hooks": []},
    {"config": {"a": [1]}, "args": [1, "b", None], "extra": [1], "opaque": {"k": []}, "legacy": None, "env": {"A": 1}, "hooks": [{"on": None}]},
]
BAD = [
    {"config": [], "args": [], "extra": None, "opaque": 1, "legacy": None, "env": {}, "hooks": []},
    {"config": {}, "args": {}, "extra": None, "opaque": 1, "legacy": None, "env": {}, "hooks": []},
    {"config": {}, "args": [], "extra": None, "opaque": 1, "legacy": 0, "env": {}, "hooks": []},
    {"config": {}, "args": [], "opaque": 1, "legacy": None, "env": {}, "hooks": []},
    {"config": {}, "args": [], "extra": None, "opaque": 1, "legacy": None, "env": None, "hooks": []},
    {"config": {}, "args": [], "extra": None, "opaque": 1, "legacy": None, "env": {}, "hooks": [["on"]]},
]
