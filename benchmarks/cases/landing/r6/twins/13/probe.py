from counters import Counters

c = Counters()
c.merge({"x": 4})
assert c.get("x") == 4
