from river.alarm import stage
from river.gauge import Gauge

before = Gauge("Mill weir", lambda: 1.0 * 9.81).level()
assert stage(Gauge("Mill weir", lambda: 2.0 * 9.81), before) == "rising"
assert stage(Gauge("Mill weir", lambda: 1.0 * 9.81), before) == "steady"
