class Prices:
    """Prices in cents, kept in a database-like mapping."""

    def __init__(self, db):
        self.db = db
        self._known = {}

    def get(self, sku):
        if sku not in self._known:
            self._known[sku] = int(self.db["price/" + sku])
        return self._known[sku]

    def set(self, sku, cents):
        if cents < 0:
            raise ValueError("negative price")
        self.db["price/" + sku] = str(cents)
        self._known.pop(sku, None)

    def skus(self):
        return sorted(k[len("price/"):] for k in self.db if k.startswith("price/"))
