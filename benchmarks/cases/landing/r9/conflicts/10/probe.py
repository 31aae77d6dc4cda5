from brewery.batch import open_for
from brewery.meter import FlowMeter

meter = FlowMeter(450, lambda: 90)  # a fifth of a litre in a second
assert abs(open_for(meter, 10) - 50) < 1e-6, open_for(meter, 10)
