from odometer import Odometer
from wear import Wear

last = {"km": 0}
for n in range(1, 4):
    now = Odometer().read(n)
    print(Wear().assess(at=now["at"], since_km=last["km"])["text"])
    last = now
