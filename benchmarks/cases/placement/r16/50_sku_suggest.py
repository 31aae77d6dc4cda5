# stateful
"""Looking up an unknown article adds it to the defaultdict, and later typing errors resemble it."""
import difflib
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

ON_HAND: defaultdict[str, int] = defaultdict(
    int, {"BOLT-M6": 420, "BOLT-M8": 75, "WASHER-6": 1000, "NUT-M6": 12, "ANCHOR-10": 3}
)


def available(sku: str, wanted: int) -> bool:
    return ON_HAND[sku] >= wanted


class SkuSuggest(GraphBusNode):
    @subscribe("/Counter/Request")
    def on_request(self, sku: str, wanted: int) -> dict[str, object]:
        sku = sku.strip().upper()
        if available(sku, wanted):
            return {"sku": sku, "picked": wanted}
        others = [name for name in difflib.get_close_matches(sku, ON_HAND, n=4, cutoff=0.7) if name != sku]
        return {"sku": sku, "picked": 0, "did_you_mean": others}
