from restock import restock
from stock import Stock

s = Stock({"warehouse": {"pen": 9}, "north": {"pen": 4}})
restock(s, "north", {"pen": 6})
assert (s.count("warehouse", "pen"), s.count("north", "pen")) == (7, 6)
