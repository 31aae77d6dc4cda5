from freight import Box, Truck

for day in ([6, 6], [12, 6]):
    mass = sum(Box().weigh(n)["weight"] for n in day)
    print(day, mass, Truck().load(mass=mass)["goes"])
