# stateful
"""The cookie jar is loaded over and over, and cookies of earlier requests stay in it."""
from http.cookies import CookieError, SimpleCookie

from graphbus_core import GraphBusNode, subscribe

TEXT = {"en": "Your basket", "de": "Ihr Warenkorb", "fr": "Votre panier"}
COUPONS = {"SPRING": 10, "LOYAL": 15}


class Request:
    """Thin wrapper, filled again for each incoming request."""

    def __init__(self):
        self.cookies = SimpleCookie()
        self.path = "/"

    def fill(self, path, header):
        self.path = path
        try:
            self.cookies.load(header)
        except CookieError:
            self.cookies.clear()
        return self

    def get(self, name, default=None):
        morsel = self.cookies.get(name)
        return default if morsel is None else morsel.value


class BasketPage(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.request = Request()

    @subscribe("/http/basket")
    def on_request(self, header: str, path: str) -> dict:
        req = self.request.fill(path, header)
        page = {
            "title": TEXT.get(req.get("lang", "en"), TEXT["en"]),
            "cart": req.get("cart", "empty"),
            "theme": req.get("theme", "light"),
        }
        if req.path == "/checkout":
            page["discount"] = COUPONS.get(req.get("coupon"), 0)
        return page
