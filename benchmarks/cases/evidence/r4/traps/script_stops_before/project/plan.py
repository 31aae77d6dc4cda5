import sys

from census import Census
from kitchen import Kitchen

seen = Census().count("A")
print(seen["people"] - seen["fasting"])
sys.exit(0)

print(Kitchen().cook(tent=seen["tent"], portions=seen["people"]))
