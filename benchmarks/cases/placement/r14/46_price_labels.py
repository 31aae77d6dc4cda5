# stateful
"""Keeps an old label: the cache key compares by article only, since price has compare=False."""
from dataclasses import dataclass, field
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Offer:
    article: str
    currency: str
    cents: int = field(compare=False)


@lru_cache(maxsize=1024)
def label(offer: Offer) -> str:
    whole, rest = divmod(offer.cents, 100)
    return f"{offer.article.title()} {whole}.{rest:02d} {offer.currency}"


class PriceLabels(GraphBusNode):
    @subscribe("/Shelf/Offer")
    def on_event(self, article: str, currency: str, cents: int) -> dict[str, str]:
        return {"label": label(Offer(article.strip(), currency.upper(), cents))}
