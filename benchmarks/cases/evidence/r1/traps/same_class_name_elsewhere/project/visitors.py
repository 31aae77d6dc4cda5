from sim import Turbine
from wind import Wind

print(Turbine().brake(mps=Wind().measure()["knots"]))
