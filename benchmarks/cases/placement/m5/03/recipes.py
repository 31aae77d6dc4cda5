import copy
from decimal import Decimal

BASE = {
    "rye": {"flour": Decimal("1000"), "water": Decimal("720"), "salt": Decimal("20"), "extras": []},
    "wheat": {"flour": Decimal("1000"), "water": Decimal("650"), "salt": Decimal("18"), "extras": []},
    "brioche": {"flour": Decimal("1000"), "water": Decimal("120"), "salt": Decimal("15"), "extras": ["butter", "egg"]},
}

ALLERGENS = {"butter": "milk", "egg": "egg", "walnut": "nuts", "sesame": "sesame", "milk": "milk"}


def recipe(name):
    return dict(BASE[name])


def fresh_recipe(name):
    return copy.deepcopy(BASE[name])


def with_extras(rec, extras):
    rec["extras"] += [e for e in extras if e not in rec["extras"]]
    return rec
