from stocktake import variances
from warehouse import Warehouse

w = Warehouse("north")
w.receive("bolt", 10)
w.reserve("bolt", 4)
found = variances(w, {"bolt": 10})
assert found == [], f"ten boxes on the shelf, ten counted, yet {found}"
