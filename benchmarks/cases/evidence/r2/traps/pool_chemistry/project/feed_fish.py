from aquarium.dosing import Dosing
from aquarium.strip import Strip
from aquarium.table import turned

print(Dosing().mix(**turned(Strip().test("big")))["add"])
