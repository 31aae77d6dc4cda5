"""msgspec Meta bounds and an UNSET field, which may be left out but may not be null unless it says so."""
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, field

from graphbus_core import GraphBusNode, subscribe

Percent = Annotated[int, Meta(ge=0, le=100)]
Slug = Annotated[str, Meta(pattern="^[a-z-]+$", min_length=2, max_length=20)]


class CouponPatch(Struct, kw_only=True):
    slug: Slug
    percent: Percent | UnsetType = UNSET
    note: str | None | UnsetType = UNSET
    regions: Annotated[list[str], Meta(min_length=1)] = field(default_factory=lambda: ["eu"])


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: CouponPatch) -> None:
        self.got = payload


GOOD = [
    {"slug": "spring-sale"},
    {"slug": "spring-sale", "percent": 0, "note": None},
    {"slug": "ab", "percent": 100, "note": "x", "regions": ["us"]},
]
BAD = [
    {"slug": "spring-sale", "percent": None},
    {"slug": "spring-sale", "percent": 101},
    {"slug": "Spring Sale"},
    {"slug": "a"},
    {"slug": "ab", "regions": []},
    {"slug": "ab", "note": 4},
]
