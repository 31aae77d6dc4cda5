def restock(stock, shop, wanted, source="warehouse"):
    """Fill a shop up to the wanted level of each sku."""
    moved = {}
    for sku, level in wanted.items():
        gap = level - stock.count(shop, sku)
        if gap > 0:
            stock.move(sku, gap, source=source, target=shop)
            moved[sku] = gap
    return moved
