# stateful
"""A SimpleCookie keeps what it has loaded, so the cookies of one request are sent on with the next."""
from http.cookies import CookieError, SimpleCookie

from graphbus_core import GraphBusNode, subscribe

PASS_ON = ("session", "lang", "theme", "csrf")


class CookieHeader(GraphBusNode):
    """Cuts the cookies of a request down to those the back end knows."""

    def __init__(self) -> None:
        super().__init__()
        self._jar = SimpleCookie()

    @subscribe("/http/request")
    def on_request(self, path: str, cookie: str) -> dict[str, str]:
        try:
            self._jar.load(cookie)
        except CookieError as problem:
            return {"path": path, "error": str(problem)}
        kept = [
            f"{name}={self._jar[name].coded_value}"
            for name in PASS_ON
            if name in self._jar
        ]
        upstream = "static" if path.startswith("/assets/") else "app"
        return {"path": path, "upstream": upstream, "cookie": "; ".join(kept)}
