from dish import Dish
from tracker import Tracker

try:
    bearing = (Tracker().locate("lost")["azimuth"] + 180) % 360
except LookupError:
    bearing = 0.0
print(Dish().turn(bearing=bearing)["motor"])
