from jobs.bus import Bus
from jobs.runner import Audit, Runner


def ticking(*values):
    left = list(values)
    return lambda: left.pop(0)


def test_audit_of_a_good_job():
    bus = Bus()
    audit = Audit(bus)
    assert Runner(bus, ticking(10.0, 12.5)).run("backup", lambda: None) == "ok"
    assert audit.lines == ["backup: ok in 2500 ms"]


def test_failing_job():
    bus = Bus()
    audit = Audit(bus)
    assert Runner(bus, ticking(0.0, 1.0)).run("backup", lambda: 1 / 0) == "ZeroDivisionError"
    assert audit.lines == ["backup: ZeroDivisionError in 1000 ms"]
