def take_back(stock, sku):
    stock.move(sku, 1, "customer", "inspection")
