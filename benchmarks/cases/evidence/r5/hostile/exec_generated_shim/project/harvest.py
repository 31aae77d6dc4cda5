from farm.nodes import Crop, Truck

estimate = Crop().estimate(12)
print(Truck().load(freight_t=estimate["tonnes"])["trips"], "trips")
