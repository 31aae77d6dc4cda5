from .items import Item, ITEMS

FALLBACK = Item("unknown", 0, [])


def find(sku: str) -> Item:
    return ITEMS.get(sku, FALLBACK)
