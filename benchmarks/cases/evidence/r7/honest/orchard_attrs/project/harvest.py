from pallet import Pallet
from weigher import Weigher

weigher, pallet = Weigher(), Pallet()
crates = {fruit: weigher.weigh(fruit) for fruit in ("apple", "pear")}
pallet.load(weight=crates["apple"].mass_kg)
print(pallet.load(weight=crates["pear"].mass_kg)["left_kg"])
