from sorter.customs import Papers, on_arrival
from sorter.handlers import ScanHandlers

h = ScanHandlers()
on_arrival(h, "P7", Papers("US"))
assert h.state["P7"] == "held", h.state
