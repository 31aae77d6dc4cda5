"""ReadOnly says who may write a key, not what it holds; qualifiers may nest in any order."""

from typing_extensions import NotRequired, ReadOnly, Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Release(TypedDict):
    name: ReadOnly[str]
    version: ReadOnly[Required[tuple[int, int]]]
    yanked: NotRequired[ReadOnly[bool]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    async def on(self, payload: Release) -> None:
        self.release = payload


GOOD = [
    {"name": "core", "version": [1, 2]},
    {"name": "core", "version": [0, 0], "yanked": True},
    {"name": "", "version": [-1, 99], "yanked": False},
]
BAD = [
    {"name": "core"},
    {"name": "core", "version": [1, 2, 3]},
    {"name": "core", "version": [1]},
    {"name": "core", "version": [1, "2"]},
    {"name": "core", "version": [1, 2], "yanked": None},
]
