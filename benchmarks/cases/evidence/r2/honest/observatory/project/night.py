from dome.plate import Plate
from dome.telescope import Telescope

found = Telescope().track("Vega")
args = {}
for long_name, short in [("right_ascension", "ra"), ("declination", "dec")]:
    args[long_name] = found[short]
print(Plate().mark(**args)["dot"])
