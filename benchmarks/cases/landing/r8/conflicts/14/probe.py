from pricing import Pricer
from quotes import Quotes

p = Pricer()
q = Quotes(p)
assert q.price("pen") == 240
p.ship_to("ch")
assert q.price("pen") == 200, q.price("pen")
assert q.total({"pen": 1}) == 200
