from river.alarm import stage
from river.gauge import Gauge

assert stage(Gauge("Mill weir", lambda: 0.5 * 9.81)) == "normal"
