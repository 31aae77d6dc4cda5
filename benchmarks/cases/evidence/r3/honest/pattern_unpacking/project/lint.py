from checker import Checker
from rules import Rules

for name in ("zip", "hex"):
    rule = Rules().load(name)
    expression, sample = rule["pattern"], rule["sample"]
    print(name, Checker().check(sample, regex=expression)["ok"])
