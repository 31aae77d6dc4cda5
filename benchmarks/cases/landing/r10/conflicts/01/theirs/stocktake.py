"""Compare a hand count of the shelves with the books."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Variance:
    sku: str
    counted: int
    expected: int

    @property
    def difference(self):
        return self.counted - self.expected


def variances(warehouse, counts):
    """Return a Variance for every sku whose shelf count is not what the books say.

    A sku nobody counted counts as zero; people count boxes on the shelf, so
    units set aside for an order are counted like all others.
    """
    found = []
    for sku in sorted(set(warehouse.skus()) | set(counts)):
        expected = warehouse.available(sku)
        counted = counts.get(sku, 0)
        if counted != expected:
            found.append(Variance(sku, counted, expected))
    return found


def book(warehouse, counts):
    """Write the counted quantities into the books; return what changed."""
    found = variances(warehouse, counts)
    for v in found:
        warehouse.stock[v.sku] = v.counted
    return found
