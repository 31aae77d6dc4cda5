# stateful
"""Updates the chain of settings, whose first map is the shop's defaults, so what one page overrides is a default afterwards."""
from collections import ChainMap
from collections.abc import Mapping
from typing import Any

from graphbus_core import GraphBusNode, subscribe

FACTORY: Mapping[str, Any] = {"currency": "EUR", "columns": 4, "sale": False, "theme": "plain"}
BRANDS: dict[str, dict[str, Any]] = {
    "kids": {"theme": "bright", "columns": 3},
    "luxe": {"theme": "dark", "columns": 2},
}


class Settings:
    """What holds for a page: its own options, those of the brand, those of the factory."""

    def __init__(self, chain: "ChainMap[str, Any]") -> None:
        self._chain = chain

    @classmethod
    def of_brand(cls, brand: str) -> "Settings":
        return cls(ChainMap(BRANDS.get(brand, {}), dict(FACTORY)))

    def override(self, options: Mapping[str, Any]) -> "Settings":
        self._chain.update((k, v) for k, v in options.items() if k in FACTORY)
        return self

    def __getattr__(self, name: str) -> Any:
        try:
            return self._chain[name]
        except KeyError:
            raise AttributeError(name) from None


class StoreFront(GraphBusNode):
    @subscribe("/Page/Render")
    def on_page(self, brand: str, articles: int, options: dict[str, str]) -> dict[str, object]:
        page = Settings.of_brand(brand.lower()).override(options)
        columns = int(page.columns) if str(page.columns).isdecimal() else 4
        rows = -(-max(0, articles) // max(1, columns))
        return {"brand": brand, "css": f"{page.theme}.css", "rows": rows, "currency": page.currency}
