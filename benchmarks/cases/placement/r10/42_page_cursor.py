# pure
"""Keeps nothing: the cursor travels with the request, so the node needs no memory."""
import base64
import binascii
import json
import zlib
from dataclasses import asdict, dataclass, replace
from operator import itemgetter
from typing import Any, Self

from graphbus_core import GraphBusNode, subscribe

MAX_SIZE = 50


@dataclass(frozen=True, slots=True)
class Cursor:
    after: str | int | None = None
    order: str = "id"
    size: int = 3

    @classmethod
    def decode(cls, text: str) -> Self:
        try:
            packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
            return cls(**json.loads(zlib.decompress(packed)))
        except (binascii.Error, zlib.error, ValueError, TypeError) as error:
            raise ValueError("bad cursor") from error

    def encode(self) -> str:
        packed = zlib.compress(json.dumps(asdict(self)).encode(), 9)
        return base64.urlsafe_b64encode(packed).decode().rstrip("=")

    def moved_to(self, row: dict[str, Any]) -> Self:
        return replace(self, after=row[self.order])


def page(rows: list[dict[str, Any]], cursor: Cursor) -> tuple[list[dict[str, Any]], Cursor | None]:
    ordered = sorted(rows, key=itemgetter(cursor.order))
    if cursor.after is not None:
        ordered = [row for row in ordered if row[cursor.order] > cursor.after]
    chosen = ordered[: min(cursor.size, MAX_SIZE)]
    more = len(ordered) > len(chosen)
    return chosen, cursor.moved_to(chosen[-1]) if chosen and more else None


class Pages(GraphBusNode):
    @subscribe("/list/page")
    def on_page(self, rows: list[dict[str, Any]], cursor: str = "", size: int = 3) -> dict[str, Any]:
        try:
            position = Cursor.decode(cursor) if cursor else Cursor(size=size)
            chosen, following = page(rows, position)
        except (ValueError, KeyError) as error:
            return {"error": str(error)}
        return {"rows": chosen, "next": following.encode() if following else None}
