from converter import Converter
from fx import Cache, Fx

for code in ("USD", "CHF", "JPY"):
    try:
        factor = 1 / Fx().fetch(code)["rate"]
    except KeyError:
        factor = Cache.units_per_euro[code]
    print(code, Converter().convert(factor=factor)["amount"])
