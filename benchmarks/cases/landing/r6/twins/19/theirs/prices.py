class Prices:
    """Prices in cents, kept in a database-like mapping."""

    def __init__(self, db):
        self.db = db

    def get(self, sku):
        return int(self.db["price/" + sku])

    def set(self, sku, cents):
        if cents < 0:
            raise ValueError("negative price")
        self.db["price/" + sku] = str(cents)

    def skus(self):
        return sorted(k[len("price/"):] for k in self.db if k.startswith("price/"))

    def reduce_all(self, percent):
        for sku in self.skus():
            cents = int(self.db["price/" + sku])
            self.set(sku, cents * (100 - percent) // 100)
