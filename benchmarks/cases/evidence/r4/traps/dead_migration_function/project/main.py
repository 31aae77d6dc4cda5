from depot import Depot
from freight import Freight

w = Depot().weigh("P1")
print(Freight().quote(pallet="P1", weight=w["mass_kg"] - w["tare_kg"])["price"])
