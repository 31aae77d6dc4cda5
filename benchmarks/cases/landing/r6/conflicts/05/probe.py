from bus import Bus
from orders import place
from points import Points

bus = Bus()
points = Points(bus)
place(bus, 3, "cy", 50)
assert points.balance == {"cy": 5}
