"""Prints the labels for the boxes of the boards."""
from oven import ALLOYS, Oven

DEFAULTS = {"alloy": "?", "peak_c": 200, "soak_s": 60, "printer": "Z1"}
LABEL = "%(alloy)-8s peak %(peak_c)d C soak %(soak_s)d s on %(printer)s"

for alloy in ALLOYS:
    print(LABEL % (DEFAULTS | Oven().profile(alloy)))
print(LABEL % DEFAULTS)
