from car import Odometer
from toll import Toll


class ImportedCar(Odometer):
    def trip(self, start, end):
        return {"distance": round(super().trip(start, end)["distance"] / 1.609, 1)}


for start, end in ((0, 161), (100, 132)):
    trip = ImportedCar().trip(start=start, end=end)
    print(Toll().charge(miles=trip["distance"])["cents"])
