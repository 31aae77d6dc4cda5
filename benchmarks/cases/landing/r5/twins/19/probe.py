from money.batch import convert

assert convert([(100, "USD"), (5, "XXX")]) == (91.08, ["XXX"])
