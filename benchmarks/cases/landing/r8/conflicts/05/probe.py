from gauges import GaugeSink
from router import Router, rec

g = GaugeSink("load.")
r = Router([g])
for n, msg in enumerate(("load1", "load5", "load15")):
    assert r.handle(rec(10, "db1", msg, value=n)) == 1, msg
assert g.mean("db1") == 1
