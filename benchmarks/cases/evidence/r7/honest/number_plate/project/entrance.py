from operator import itemgetter

from barrier import Barrier
from camera import Camera

plate_of = itemgetter("plate")
seen = Camera().see()
print("open" if Barrier().admit(vehicle=plate_of(seen))["open"] else "shut")
