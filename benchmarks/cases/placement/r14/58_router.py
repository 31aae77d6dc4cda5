# stateful
"""Keeps one preallocated exception whose __traceback__ grows each time it is raised."""
import traceback

from graphbus_core import GraphBusNode, subscribe


class RouteMissing(LookupError):
    pass


_ROUTES = {"/health": "ops", "/orders": "shop", "/invoices": "billing"}
_NO_ROUTE = RouteMissing("no route")


def resolve(path: str) -> str:
    try:
        return _ROUTES[path]
    except KeyError:
        raise _NO_ROUTE from None


class Router(GraphBusNode):
    @subscribe("/Http/Request")
    def on_event(self, path: str) -> dict[str, object]:
        try:
            return {"path": path, "team": resolve(path), "trail": []}
        except RouteMissing as missing:
            trail = [frame.name for frame in traceback.extract_tb(missing.__traceback__)]
            return {"path": path, "team": None, "trail": trail}
