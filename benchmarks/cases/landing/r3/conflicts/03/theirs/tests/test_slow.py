from jobs.bus import Bus
from jobs.slow import SlowJobs


def finish(bus, job, seconds):
    bus.emit("job.finished", {"job": job, "outcome": "ok", "seconds": seconds})


def test_keeps_the_slowest():
    bus = Bus()
    slow = SlowJobs(bus, limit=10, keep=2)
    for job, seconds in (("a", 11), ("b", 30), ("c", 9), ("d", 20)):
        finish(bus, job, seconds)
    assert slow.names() == ["b", "d"]
