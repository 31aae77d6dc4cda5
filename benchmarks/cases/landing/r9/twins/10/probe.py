from brewery.batch import shares
from brewery.meter import FlowMeter

from_hot, from_cold = shares(FlowMeter(450, lambda: 90), FlowMeter(450, lambda: 30), 20)
assert abs(from_hot - 15) < 1e-6 and abs(from_cold - 5) < 1e-6, (from_hot, from_cold)
