from storage.plans import PLANS
from storage.usage import bar

assert bar(PLANS["staff"], 30) == "30 MB used", bar(PLANS["staff"], 30)
assert bar(PLANS["suspended"], 0).endswith("0 of 0 MB"), bar(PLANS["suspended"], 0)
