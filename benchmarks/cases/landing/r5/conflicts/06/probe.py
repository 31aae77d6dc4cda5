from docs.audit import Audit
from docs.bus import Bus

bus = Bus()
audit = Audit(bus)
bus.emit("saved", {"id": 7, "text": ""})
bus.emit("saved", {"id": 8, "text": ""})
assert audit.saved == [7, 8], audit.saved
