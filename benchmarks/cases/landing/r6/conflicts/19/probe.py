from basket import total
from prices import Prices

p = Prices({"price/pen": "200"})
assert total(p, [("pen", 1)]) == 200
p.reduce_all(50)
assert total(p, [("pen", 1)]) == 100
