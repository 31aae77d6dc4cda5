# price quotes, each article named once
from catalog import article
from pricing import basket


class Quotes:
    def __init__(self, pricer):
        self.pricer = pricer
        self.memo = {}
        self.hits = 0

    def kind(self, sku):
        if sku in self.memo:
            self.hits += 1
        else:
            self.memo[sku] = article(sku)["kind"]
        return self.memo[sku]

    def price(self, sku):
        assert self.kind(sku)
        return self.pricer.gross(sku)

    def text(self, sku, n):
        return "%d x %s: %.2f" % (n, sku, self.price(sku) * n / 100)

    def total(self, items):
        return basket(self.pricer, items)
