from dataclasses import dataclass
from functools import lru_cache

VAT = {"DE": 19, "FR": 20, "AT": 20, "CH": 8}
SHIPPING_STEPS = [(500, 390), (2000, 590), (10000, 990)]


@dataclass(frozen=True)
class Price:
    net: int
    vat: int

    @property
    def gross(self) -> int:
        return self.net + self.net * self.vat // 100


@lru_cache(maxsize=128)
def price_for(net: int, country: str) -> Price:
    return Price(net, VAT.get(country, 21))


def shipping(grams: int) -> int:
    for limit, cents in SHIPPING_STEPS:
        if grams <= limit:
            return cents
    return 1990
