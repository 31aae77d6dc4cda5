import pickle
from pathlib import Path

from seeds import SeedBank, Sower

stock = pickle.loads((Path(__file__).parent / "old_stock.txt").read_bytes())
print(Sower().sow(crop=stock.crop, rate=stock.germination)["seeds"])
new = SeedBank().draw("kale")
print(Sower().sow(crop=new.crop, rate=new.germination)["seeds"])
