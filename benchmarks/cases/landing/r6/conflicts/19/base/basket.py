def total(prices, lines):
    return sum(prices.get(sku) * count for sku, count in lines)
