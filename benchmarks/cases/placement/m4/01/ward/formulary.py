from decimal import Decimal
from functools import lru_cache

DRUGS = {
    "paracetamol": {"mg_per_kg": Decimal("15"), "max_mg": Decimal("1000"), "per_day": 4},
    "ibuprofen": {"mg_per_kg": Decimal("10"), "max_mg": Decimal("400"), "per_day": 3},
    "amoxicillin": {"mg_per_kg": Decimal("25"), "max_mg": Decimal("500"), "per_day": 3},
}

ALIASES = {"apap": "paracetamol", "amoxil": "amoxicillin"}


class UnknownDrug(KeyError):
    pass


@lru_cache(maxsize=256)
def lookup(name: str) -> dict:
    key = name.strip().lower()
    key = ALIASES.get(key, key)
    try:
        return DRUGS[key]
    except KeyError:
        raise UnknownDrug(name) from None
