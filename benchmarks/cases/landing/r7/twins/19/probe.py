from stock import Stock

s = Stock(patience=0.2)
s.put("M4", 10)
s.move("M4", "M5", 4)
assert s.inventory() == {"M4": 6, "M5": 4}
