from fleet.logbook import Logbook
from fleet.truck import Truck
from fleet.wire import over_the_air

got = over_the_air(Truck().report("TX-1"))
print(Logbook().write(plate=got["plate"], km=got["distance"])["row"])
