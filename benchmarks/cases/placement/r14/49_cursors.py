# pure
"""The cursor travels with the request, the node keeps nothing of it."""
import base64
import binascii
import json
from bisect import bisect_right
from typing import Any

from graphbus_core import GraphBusNode, subscribe

_CITIES = tuple(sorted(
    "Aachen Berlin Bonn Bremen Dresden Essen Hamburg Kiel Köln Leipzig Mainz Ulm".split()
))
_MAX_PAGE = 5


def seal(data: dict[str, Any]) -> str:
    raw = json.dumps(data, separators=(",", ":"), sort_keys=True).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unseal(cursor: str) -> dict[str, Any]:
    padded = cursor + "=" * (-len(cursor) % 4)
    try:
        data = json.loads(base64.urlsafe_b64decode(padded))
    except (binascii.Error, UnicodeError, json.JSONDecodeError) as error:
        raise ValueError("bad cursor") from error
    if not isinstance(data, dict) or not isinstance(data.get("after"), str):
        raise ValueError("bad cursor")
    return data


class CityPages(GraphBusNode):
    @subscribe("/Cities/Page")
    def on_event(self, size: int, cursor: str | None = None) -> dict[str, Any]:
        size = max(1, min(size, _MAX_PAGE))
        try:
            start = bisect_right(_CITIES, unseal(cursor)["after"]) if cursor else 0
        except ValueError as error:
            return {"error": str(error)}
        page = _CITIES[start:start + size]
        more = start + size < len(_CITIES)
        return {"items": list(page), "next": seal({"after": page[-1]}) if more else None}
