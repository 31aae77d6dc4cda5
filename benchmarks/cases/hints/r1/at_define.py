"""attrs' define with a default, a Factory and a converter-free nested class."""

from attrs import Factory, define, field

from graphbus_core import GraphBusNode, subscribe


@define
class Author:
    name: str
    mail: str | None = None


@define
class Commit:
    sha: str
    author: Author
    parents: list[str] = Factory(list)
    files: dict[str, int] = field(factory=dict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Commit) -> None:
        self.commit = payload


GOOD = [
    {"sha": "a1", "author": {"name": "ann"}},
    {"sha": "", "author": {"name": "ann", "mail": None}, "parents": []},
    {"sha": "a1", "author": {"name": "", "mail": "a@b"}, "parents": ["b2", "c3"], "files": {"x.py": 3}},
]
BAD = [
    {"sha": "a1"},
    {"sha": "a1", "author": {"mail": "a@b"}},
    {"sha": "a1", "author": {"name": "ann"}, "parents": None},
    {"sha": "a1", "author": {"name": "ann"}, "files": {"x.py": "3"}},
    {"sha": "a1", "author": [{"name": "ann"}]},
]
