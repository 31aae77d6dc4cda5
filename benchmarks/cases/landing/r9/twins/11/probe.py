from tides.load import load

series = load("30,1.4\n40,0.9\n10,1.0\n20,2.0")
assert series.level_at(25) == 2.0, series.level_at(25)
