# stateful
"""Keeps written settings in the module's defaults, since a ChainMap writes to its first map."""
from collections import ChainMap
from collections.abc import Mapping

from graphbus_core import GraphBusNode, subscribe

_SERVICE = {"region": "eu"}
_GLOBAL = {"timeout": 30, "retries": 3, "region": "us"}


def effective(request: Mapping[str, object]) -> Mapping[str, object]:
    view: ChainMap[str, object] = ChainMap(_SERVICE, _GLOBAL)
    for key, value in request.items():
        if key in view and value is not None:
            view[key] = value
    return view


class Settings(GraphBusNode):
    @subscribe("/Settings/Resolve")
    def on_event(self, service: str, request: dict[str, object]) -> dict[str, object]:
        return {"service": service, **dict(sorted(effective(request).items()))}
