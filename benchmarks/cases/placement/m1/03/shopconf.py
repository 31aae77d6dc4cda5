import os

DEFAULTS = {"currency": "EUR", "min_order": 1000, "banner": {"text": "Welcome", "tone": "plain"}}
os.environ.setdefault("SHOP_TIER", "basic")


def fresh() -> dict:
    return dict(DEFAULTS)


def tier() -> str:
    return os.environ["SHOP_TIER"]
