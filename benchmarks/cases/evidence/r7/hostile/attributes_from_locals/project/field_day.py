from drill import Drill
from log import Log

core = Drill().core(2)
depth_m = core["depth_m"]
print(Log().add(depth_m, hole=core["hole"])["layer"])
