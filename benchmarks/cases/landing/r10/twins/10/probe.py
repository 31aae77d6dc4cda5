from fuel import Car, cost, stops
from route import parse

legs = parse("Bonn, Ulm, 400\nUlm, Graz, 400")
car = Car(litres_per_100km=6.0, tank=40.0)
assert cost(legs, car, 2.0) == 96.0, cost(legs, car, 2.0)
assert stops(legs, car) == ["Ulm"], stops(legs, car)
