from docs.audit import Audit
from docs.bus import Bus


def test_audit():
    bus = Bus()
    audit = Audit(bus)
    bus.emit("saved", {"id": 7, "text": ""})
    assert audit.saved == [7]
