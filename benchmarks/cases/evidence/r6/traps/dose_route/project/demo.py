from ward import Prescription, Pump

print(Prescription().current("bed 3")["drug"])
print(Pump().program("morphine", 2.5))
