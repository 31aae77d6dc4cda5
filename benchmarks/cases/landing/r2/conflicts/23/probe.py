import check
from store import Store
assert check.has(Store({"a": 1}), "a")
