from ferry import Ferry
from proxy import Anyone
from ramp import Ramp

port = Anyone(Ferry(), Ramp())
print(port.lower(vehicles=41)["lanes"])
