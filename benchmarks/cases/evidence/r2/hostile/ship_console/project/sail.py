from ship.bridge import Bridge
from ship.engine import Engine

o = Bridge().order("half ahead")
print(Engine().obey(speed=o["knots"], course=o["course"])["shown"])
