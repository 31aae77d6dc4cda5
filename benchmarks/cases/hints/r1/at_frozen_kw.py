"""attrs' frozen classes: inheritance and keyword-only fields, a required one after a default."""

import attrs

from graphbus_core import GraphBusNode, subscribe


@attrs.frozen(kw_only=True)
class Base:
    tenant: str = "main"
    created_by: str


@attrs.frozen(kw_only=True)
class Document(Base):
    title: str
    pages: int = 1


class Node(GraphBusNode):
    @subscribe("/Case/In")
    async def on(self, payload: Document) -> None:
        self.document = payload


GOOD = [
    {"created_by": "ann", "title": "t"},
    {"created_by": "ann", "title": "", "pages": 0},
    {"tenant": "x", "created_by": "", "title": "t", "pages": 300},
]
BAD = [
    {"title": "t"},
    {"tenant": "x", "created_by": "ann"},
    {"created_by": "ann", "title": "t", "pages": None},
    {"created_by": "ann", "title": "t", "pages": [1]},
    {"created_by": {"name": "ann"}, "title": "t"},
]
